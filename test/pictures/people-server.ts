import type { Fetcher } from '../../pipeline/network/fetcher.ts';
import { listeningService } from '../harness/listening-service.ts';
import { people } from './people.ts';

// Runs the real service in a separate process, with a fake Instagram that knows only the invented people of the
// pictures.

/** Answers a profile request as Instagram's web_profile_info does. Handles that are not in the list do not exist. */
const fakeInstagram: Fetcher = async ({ url }) => {
  const handle = new URL(url).searchParams.get('username') ?? '';
  const person = people.find(({ username }) => username === handle);
  const headers = { 'content-type': 'application/json' };
  if (!person) return { status: 404, url, headers, body: Buffer.from('{"data":{"user":null},"status":"ok"}') };
  const { username, full_name, followers, following, posts, verified, is_private = false } = person;
  const user = {
    id: String(9_007_199_254_740_993n + BigInt(people.indexOf(person))),
    username,
    full_name,
    biography: '',
    external_url: null,
    is_private,
    is_verified: verified,
    profile_pic_url: 'https://invented.example/small.jpg',
    profile_pic_url_hd: 'https://invented.example/large.jpg',
    edge_followed_by: { count: followers },
    edge_follow: { count: following },
    edge_owner_to_timeline_media: { count: posts, page_info: { has_next_page: false, end_cursor: null }, edges: [] },
  };
  return { status: 200, url, headers, body: Buffer.from(JSON.stringify({ data: { user }, status: 'ok' })) };
};

const [databaseUrl = ''] = process.argv.slice(2);
const service = await listeningService({ database_url: databaseUrl, fetch: fakeInstagram });
// Ends this process when the process that started it ends.
process.stdin.on('end', () => process.exit()).resume();
console.log(service.base_url);
