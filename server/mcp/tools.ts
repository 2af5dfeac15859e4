import { catalog } from '../data/catalog.ts';
import { parametersOf, type Route } from '../data/route.ts';
import { invalidInput } from '../http/errors.ts';
import type { Json } from '../openapi/parts.ts';
import { workflows } from '../workflows/catalog.ts';
import { ownArguments } from './arguments.ts';
import { costOf, workflowOutput, workflowParameters } from './cost.ts';
import { campaignReportTool, credits, estimateOf, routesTool, trackedItemsTool } from './own-tools.ts';
import { answerSchema, argumentSchemas, mergedArgument, mergedData, minimalData } from './schemas.ts';
import type { Arguments, McpTool, ToolTarget } from './tool.ts';

/** An MCP tool that covers several routes. The argument `what` selects the route. */
interface Choice {
  name: string;
  title: string;
  /** The path of the route for each value of the argument `what`. */
  routes: Readonly<Record<string, string>>;
}

const choices: readonly Choice[] = [
  {
    name: 'profile',
    title: 'Profile of an account or channel',
    routes: {
      photo: '/v1/photo/profile',
      shortvideo: '/v1/shortvideo/profile',
      longvideo: '/v1/longvideo/channel',
      rows: '/v1/workflows/profile',
    },
  },
  {
    name: 'posts',
    title: 'Posts or videos of an account',
    routes: {
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
    title: 'One Instagram post, its carousel items, or posts as rows',
    routes: { photo: '/v1/photo/post', photo_children: '/v1/photo/post/children', rows: '/v1/workflows/post' },
  },
  {
    name: 'video',
    title: 'One TikTok or YouTube video',
    routes: { shortvideo: '/v1/shortvideo/video', longvideo: '/v1/longvideo/video' },
  },
  { name: 'transcript', title: 'Transcript of a YouTube video', routes: { longvideo: '/v1/longvideo/transcript' } },
  {
    name: 'comments',
    title: 'Comments and replies',
    routes: {
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
    routes: { longvideo: '/v1/longvideo/search', ads: '/v1/adlibrary/company/ads' },
  },
  {
    name: 'hashtag',
    title: 'Hashtag and its posts or videos',
    routes: {
      shortvideo: '/v1/shortvideo/hashtag',
      shortvideo_videos: '/v1/shortvideo/hashtag/videos',
      photo: '/v1/photo/hashtag',
      photo_posts: '/v1/photo/hashtag/posts',
    },
  },
  {
    name: 'sound',
    title: 'Sound and the videos that use it',
    routes: { sound: '/v1/shortvideo/music', videos: '/v1/shortvideo/music/videos' },
  },
  {
    name: 'playlist',
    title: 'Playlist and its videos',
    routes: {
      longvideo: '/v1/longvideo/playlist',
      longvideo_items: '/v1/longvideo/playlist/items',
      longvideo_of_channel: '/v1/longvideo/channel/playlists',
      shortvideo: '/v1/shortvideo/playlist',
      shortvideo_videos: '/v1/shortvideo/playlist/videos',
    },
  },
];

/** Data of one API route, from which a tool for several routes is built. */
interface RouteOption {
  parameters: Record<string, Json>;
  data: Json;
  /** Parameters that identify the resource. A call sends one of these parameters. */
  identifiers: readonly string[];
  /** Parameters that a call must send beside the identifier. */
  required: readonly string[];
  /** Summary and price of the route. */
  description: string;
}

/**
 * API parameters that the MCP tools leave out: alternative names of identifiers, and the parameters `format`,
 * `estimate` and `trim`.
 */
const omitted = new Set(['hashtag', 'q', 'channelId', 'format', 'estimate', 'trim']);

function routeOption(path: string): RouteOption {
  const route = catalog.find((row) => row.path === path);
  if (route) return dataRouteOption(route);
  const workflow = workflows.find((row) => row.path === path);
  if (!workflow) throw new Error(`The catalog has no route ${path}.`);
  return {
    parameters: workflowParameters(workflow),
    data: workflowOutput,
    identifiers: [workflow.required],
    required: [],
    description: `${workflow.summary} (${workflow.price})`,
  };
}

function dataRouteOption(route: Route): RouteOption {
  if (route.availability === 'planned') throw new Error(`${route.path} is planned: a tool cannot call it.`);
  const all = Object.entries({ ...route.identifiers, ...parametersOf(route) });
  const included = all.filter(([name]) => !omitted.has(name));
  return {
    parameters: argumentSchemas(Object.fromEntries(included)),
    data: minimalData(route),
    identifiers: Object.keys(route.identifiers).filter((name) => !omitted.has(name)),
    required: Object.keys(route.required ?? {}),
    description: `${route.summary} (${costOf(route)})`,
  };
}

function choiceTool({ name, title, routes }: Choice): McpTool {
  const options = Object.keys(routes);
  const all = Object.values(routes).map(routeOption);
  const lines = all.map(({ identifiers, required, description }, index) => {
    const line = `${description} by ${[identifiers.join(' or '), ...required].join(' and ')}`;
    return options.length === 1 ? line : `${options[index]}: ${line}`;
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
    target: (args) => chosenTarget(routes, args),
  };
}

function chosenTarget(routes: Choice['routes'], { what = Object.keys(routes), ...query }: Arguments): ToolTarget {
  const [option = ''] = what;
  const path = Object.hasOwn(routes, option) ? routes[option] : undefined;
  if (path) return { path, query };
  throw invalidInput([{ parameter: 'what', message: `must be one of ${Object.keys(routes).join(', ')}` }]);
}

const chargedTools = choices.map(choiceTool);

/**
 * The short list of MCP tools. A client can still call every route, because the tool `routes` calls the routes that no
 * other tool covers.
 */
export const tools: readonly McpTool[] = [
  ...chargedTools,
  credits,
  estimateOf(chargedTools),
  trackedItemsTool,
  campaignReportTool,
  routesTool,
];
