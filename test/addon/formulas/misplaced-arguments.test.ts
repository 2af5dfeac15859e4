import { expect, test } from 'vitest';
import { goodKey, people, setKey, setUpAddon } from '../spreadsheet-setup.ts';

const setup = setUpAddon();
const [ada = ''] = Object.keys(people);
const link = 'https://photo.example/ada';

async function errorOf(name: string, args: unknown[]): Promise<string> {
  await setup.api.begin({ keys: [goodKey], people });
  const file = await setup.open();
  setKey(file);
  const before = (await setup.api.log()).requests.length;
  let message = '';
  try {
    file.cell(name, args);
  } catch (error) {
    message = error instanceof Error ? error.message : String(error);
  }
  expect((await setup.api.log()).requests).toHaveLength(before);
  return message;
}

test.each([
  ['SOCIAL_PROFILE', ['followers', [[link]]], `"${link}" is a link, but it is in the place of the field.`],
  [
    'SOCIAL_PROFILE',
    [ada, 'followers', 'instagram'],
    '"instagram" is a platform, but it is in the place of the max_age.',
  ],
  ['SOCIAL_PROFILE', [ada, '7d', 'followers'], '"7d" is a maximum age, but it is in the place of the field.'],
  ['SOCIAL_FOLLOWERS', [ada, '7d'], '"7d" is a maximum age, but it is in the place of the platform.'],
  ['SOCIAL_TRACKED', [ada, 30, 'followers'], '"30" is a number, but it is in the place of the metric.'],
  ['SOCIAL_POSTS', [ada, 'caption,likes'], 'It is "caption,likes" now: check the order of the arguments.'],
])('%s with its arguments in the wrong order says which one is misplaced, before any request: %j', async (...given) => {
  const [name, args, sentence] = given;
  expect(await errorOf(name, args)).toContain(sentence);
});

test.each([
  ['SOCIAL_PROFILE', [ada, 'subscribers'], 'followers'],
  ['SOCIAL_PROFILE', [ada, 'Name'], 'display_name'],
  ['SOCIAL_PROFILE', [ada, 'views'], 'total_views'],
  ['SOCIAL_POST', [ada, 'date'], 'published_at'],
  ['SOCIAL_PROFILE', [ada, '', '24h'], '1d'],
  ['SOCIAL_PROFILE', [ada, '', '10d'], '7d'],
  ['SOCIAL_PROFILE', [ada, '', '', 'IG'], 'instagram'],
])('%s suggests the word of the add-on for a word that people use: %j', async (name, args, word) => {
  expect(await errorOf(name, args)).toContain(`Did you mean "${word}"?`);
});

test.each([
  ['SOCIAL_PROFILE', [ada, 'engagement rate']],
  ['SOCIAL_PROFILE', [ada, 'all']],
  ['SOCIAL_PROFILE', [ada, '', '', 'facebook']],
])('%s suggests nothing for a word that is like no known word, and lists the known words: %j', async (name, args) => {
  const message = await errorOf(name, args);
  expect(message).toMatch(/^There is no \w+ ".+"\. Use one of /);
});
