import { catalog } from '../data/catalog.ts';
import { parametersOf, type Route } from '../data/route.ts';
import { invalidInput } from '../http/errors.ts';
import type { Json } from '../openapi/parts.ts';
import { workflows } from '../workflows/catalog.ts';
import { ownArguments } from './arguments.ts';
import { costOf, workflowOutput, workflowParameters } from './cost.ts';
import { campaignReport, credits, estimateOf, routesTool, trackedItems } from './own-tools.ts';
import { answerSchema, argumentSchemas, mergedArgument, mergedData, minimalData } from './schemas.ts';
import type { Arguments, McpTool, Target } from './tool.ts';

/** A tool over several routes: `what` chooses one of them. */
interface Choice {
  name: string;
  title: string;
  /** Value of `what` to path. */
  ways: Readonly<Record<string, string>>;
}

const choices: readonly Choice[] = [
  {
    name: 'profile',
    title: 'Profile of an account or channel',
    ways: {
      photo: '/v1/photo/profile',
      shortvideo: '/v1/shortvideo/profile',
      longvideo: '/v1/longvideo/channel',
      rows: '/v1/workflows/profile',
    },
  },
  {
    name: 'posts',
    title: 'Posts or videos of an account',
    ways: {
      photo: '/v1/photo/posts',
      photo_with_reels: '/v2/photo/user/posts',
      photo_reels: '/v1/photo/reels',
      photo_user_reels: '/v1/photo/user/reels',
      shortvideo: '/v1/shortvideo/videos',
      shortvideo_pinned: '/v1/shortvideo/pinned',
      longvideo: '/v1/longvideo/channel/videos',
      rows: '/v1/workflows/posts',
    },
  },
  {
    name: 'post',
    title: 'One photo post, its children, or posts as rows',
    ways: { photo: '/v1/photo/post', photo_children: '/v1/photo/post/children', rows: '/v1/workflows/post' },
  },
  {
    name: 'video',
    title: 'One video',
    ways: { shortvideo: '/v1/shortvideo/video', longvideo: '/v1/longvideo/video' },
  },
  { name: 'transcript', title: 'Transcript of a video', ways: { longvideo: '/v1/longvideo/transcript' } },
  {
    name: 'comments',
    title: 'Comments and replies',
    ways: {
      longvideo: '/v1/longvideo/comments',
      longvideo_replies: '/v1/longvideo/comment/replies',
      shortvideo: '/v1/shortvideo/comments',
      shortvideo_replies: '/v1/shortvideo/comment/replies',
      photo: '/v1/photo/comments',
      photo_by_url: '/v2/photo/post/comments',
    },
  },
  {
    name: 'search',
    title: 'Search for videos, channels, playlists or ads',
    ways: { longvideo: '/v1/longvideo/search', ads: '/v1/adlibrary/company/ads' },
  },
  {
    name: 'hashtag',
    title: 'Hashtag and what carries it',
    ways: {
      shortvideo: '/v1/shortvideo/hashtag',
      shortvideo_videos: '/v1/shortvideo/hashtag/videos',
      photo: '/v1/photo/hashtag',
      photo_posts: '/v1/photo/hashtag/posts',
    },
  },
  {
    name: 'sound',
    title: 'Sound and the videos that use it',
    ways: { sound: '/v1/shortvideo/music', videos: '/v1/shortvideo/music/videos' },
  },
  {
    name: 'playlist',
    title: 'Playlist and what is in it',
    ways: {
      longvideo: '/v1/longvideo/playlist',
      longvideo_items: '/v1/longvideo/playlist/items',
      longvideo_of_channel: '/v1/longvideo/channel/playlists',
      shortvideo: '/v1/shortvideo/playlist',
      shortvideo_videos: '/v1/shortvideo/playlist/videos',
    },
  },
];

/** What a route takes, answers and costs, as a tool says it. */
interface Way {
  parameters: Record<string, Json>;
  data: Json;
  /** The identifiers, of which one is sent. */
  by: readonly string[];
  line: string;
}

/** Second names of an identifier, and what a tool has its own argument for. */
const leftOut = new Set(['hashtag', 'q', 'channelId', 'format', 'estimate', 'trim']);

function wayOf(path: string): Way {
  const route = catalog.find((row) => row.path === path);
  if (route) return routeWay(route);
  const workflow = workflows.find((row) => row.path === path);
  if (!workflow) throw new Error(`no route ${path}`);
  return {
    parameters: workflowParameters(workflow),
    data: workflowOutput,
    by: [workflow.required],
    line: `${workflow.summary} (${workflow.price})`,
  };
}

function routeWay(route: Route): Way {
  if (route.availability === 'planned') throw new Error(`nothing is sold at ${route.path}`);
  const all = Object.entries({ ...route.identifiers, ...parametersOf(route) });
  const kept = all.filter(([name]) => !leftOut.has(name));
  return {
    parameters: argumentSchemas(Object.fromEntries(kept)),
    data: minimalData(route),
    by: Object.keys(route.identifiers).filter((name) => !leftOut.has(name)),
    line: `${route.summary} (${costOf(route)})`,
  };
}

function choiceTool({ name, title, ways }: Choice): McpTool {
  const options = Object.keys(ways);
  const all = Object.values(ways).map(wayOf);
  const lines = all.map(({ by, line }, place) => {
    const way = `${line} by ${by.join(' or ')}`;
    return options.length === 1 ? way : `${options[place]}: ${way}`;
  });
  const names = [...new Set(all.flatMap(({ parameters }) => Object.keys(parameters)))];
  const merged = names.map((parameter): [string, Json] => [
    parameter,
    mergedArgument(all.map(({ parameters }) => parameters[parameter]).filter((schema) => schema !== undefined)),
  ]);
  return {
    name,
    title,
    description: `${lines.join('.\n')}.`,
    parameters: {
      ...(options.length > 1 ? { what: { type: 'string', enum: options } } : {}),
      ...Object.fromEntries(merged),
      ...ownArguments,
    },
    required: options.length === 1 ? [] : ['what'],
    output: answerSchema(mergedData(all.map(({ data }) => data))),
    open_world: true,
    target: (args) => chosen(ways, args),
  };
}

function chosen(ways: Choice['ways'], { what = Object.keys(ways), ...query }: Arguments): Target {
  const [way = ''] = what;
  const path = Object.hasOwn(ways, way) ? ways[way] : undefined;
  if (path) return { path, query };
  throw invalidInput([{ parameter: 'what', message: `must be one of ${Object.keys(ways).join(', ')}` }]);
}

const priced = choices.map(choiceTool);

/** The small set: every route is reached through one of these. */
export const tools: readonly McpTool[] = [
  ...priced,
  credits,
  estimateOf(priced),
  trackedItems,
  campaignReport,
  routesTool,
];
