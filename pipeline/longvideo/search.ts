import type { Source, SourceAnswer, SourceContext, SourceCursor } from '../collect/collect.ts';
import { notARow } from '../collect/source-rows.ts';
import { responseChanged, SourceError } from '../errors.ts';
import { blank, dig, timeToIso, toCount, toFreeText, toList, toText, unescapeHtml } from '../parse/values.ts';
import { type SearchResult, searchResult } from '../records/longvideo.ts';
import { type DataApi, dataApiAnswer, dataApiName, dataApiSource } from './data-api/client.ts';
import { officialImages, webImages } from './media.ts';
import { type ListPage, officialPage, pageParams, pageRows } from './pages.ts';
import { type LongvideoSearchParams, searchTypes } from './params.ts';
import { surfacesOfService } from './surfaces.ts';
import { appended, webPage } from './web/entries.ts';
import { longvideoWebName, type Web } from './web/innertube.ts';
import { shownRow } from './web/lockup.ts';
import type { ShownRow } from './web/row.ts';

/**
 * Encoded filters for the search on YouTube's website, by type of result. Each filter also tells YouTube not to correct
 * the query.
 */
const webFilters = { all: '8AEB', video: 'EgIQAfABAQ==', channel: 'EgIQAvABAQ==', playlist: 'EgIQA_ABAQ==' } as const;

/**
 * The sources of search results in order of preference. The API search has a separate circuit breaker, because it has a
 * separate quota.
 */
export const searchSources: Source<LongvideoSearchParams, SearchResult[]>[] = [
  {
    ...dataApiSource,
    breaker: `${dataApiName} search`,
    collect: (params, context) => officialSearch(surfacesOfService(context).api, params, context),
  },
  {
    name: longvideoWebName,
    credentials: null,
    not_exposed: ['published_at'],
    collect: (params, context) => webSearch(surfacesOfService(context).web, params, context),
  },
];

/** A search result with the fields that one data source provides. */
type Result = Partial<SearchResult>;

async function officialSearch(
  api: DataApi,
  params: LongvideoSearchParams,
  context: SourceContext,
): Promise<SourceAnswer<SearchResult[]>> {
  const { query, type, order, region_code, language, limit, cursor } = params;
  const searchParams = {
    q: query,
    order,
    ...(type.length === searchTypes.length ? {} : { type: [type.join(',')] }),
    ...(region_code === null ? {} : { regionCode: region_code }),
    ...(language === null ? {} : { relevanceLanguage: language }),
  };
  const { rows, next, gaps } = await pageRows(cursor, limit, async (token) => {
    const page = pageParams(limit, token);
    return officialPage(
      await dataApiAnswer(
        api,
        {
          method: 'search.list',
          params: { part: ['snippet'], ...searchParams, ...page },
          customer_parameters: Object.keys(searchParams),
        },
        context,
      ),
      officialResult,
      ({ title }) => title !== null,
    );
  });
  return { ...withPositions(rows, params, next), ...gaps };
}

/**
 * Reads a search result of the YouTube Data API. Unlike the other methods of the API, the search returns HTML-escaped
 * texts. A result may have no snippet.
 */
function officialResult(item: unknown): Result | undefined {
  const snippet = dig(item, 'snippet');
  const kind = toText(dig(item, 'id', 'kind'))?.replace('youtube#', '');
  const resultType = searchTypes.find((type) => type === kind) ?? null;
  const plain = (text: string | null) => (text === null ? null : unescapeHtml(text));
  const id = resultType && toText(dig(item, 'id', `${resultType}Id`));
  const title = plain(toText(dig(snippet, 'title')));
  if (id === null || (snippet !== undefined && title === null)) return undefined;
  return {
    id,
    result_type: resultType,
    title,
    description: plain(toFreeText(dig(snippet, 'description'))),
    channel_id: toText(dig(snippet, 'channelId')),
    author: plain(toText(dig(snippet, 'channelTitle'))),
    published_at: timeToIso(dig(snippet, 'publishedAt')),
    thumbnails: officialImages(dig(snippet, 'thumbnails'), 'thumbnail'),
    live_status: toText(dig(snippet, 'liveBroadcastContent')),
  };
}

/**
 * Searches YouTube's website as a signed-out visitor. Throws without sending a request when the website does not
 * support a parameter of the request (docs/adr/0020-public-search-options.md).
 */
async function webSearch(
  web: Web,
  params: LongvideoSearchParams,
  context: SourceContext,
): Promise<SourceAnswer<SearchResult[]>> {
  refuseUnsupported(params, context);
  const { query, type, limit, cursor } = params;
  const [only, ...others] = type;
  const filter = webFilters[only !== undefined && others.length === 0 ? only : 'all'];
  const { rows, next, gaps } = await pageRows(cursor, limit, async (token) => {
    const body = token === null ? { query, params: filter } : { continuation: token };
    return resultsPage(await web('/search', body, context), type, token !== null);
  });
  return { ...withPositions(rows.map(webResult), params, next), ...gaps, partial: true };
}

/**
 * Throws when a search has parameters that only the YouTube Data API supports. With an API key, the error says to try
 * again later; without one, that the operator must set a key.
 */
function refuseUnsupported({ order, region_code, language }: LongvideoSearchParams, { config }: SourceContext): void {
  const unsupported = [
    order === 'relevance' ? null : `order=${order}`,
    region_code === null ? null : `region_code=${region_code}`,
    language === null ? null : `language=${language}`,
  ].filter((parameter) => parameter !== null);
  if (unsupported.length === 0) return;
  const official = `Only the official YouTube source can search with ${unsupported.join(' and ')}`;
  if (config.youtube_api_key === null) {
    const message = `${official}, and it is not set up on this server: remove these parameters, or ask your Tidemark administrator to set YOUTUBE_API_KEY.`;
    throw new SourceError('SOURCE_NOT_CONFIGURED', { message });
  }
  const message = `${official}, and it cannot be used now: remove these parameters, or try again later.`;
  throw new SourceError('SOURCE_UNAVAILABLE', { message });
}

/**
 * Fields in the answer of YouTube's website after the last page of search results. Such an answer has no other fields.
 */
const endOfResults: ReadonlySet<string> = new Set([
  'responseContext',
  'estimatedResults',
  'trackingParams',
  'topbar',
  'header',
]);

/**
 * Reads one page of search results of YouTube's website. Throws SOURCE_RESPONSE_CHANGED when the page has no list of
 * results, unless it is the page after the last results (see {@link endOfResults}).
 */
function resultsPage(answer: unknown, type: LongvideoSearchParams['type'], continued: boolean): ListPage<ShownRow> {
  const isEnd = continued && Object.keys(Object(answer)).every((key) => endOfResults.has(key));
  if (isEnd && dig(answer, 'estimatedResults') !== undefined) return { rows: [], unread: null, token: null };
  const results = dig(answer, 'contents', 'twoColumnSearchResultsRenderer', 'primaryContents');
  const sections =
    toList(dig(results, 'sectionListRenderer', 'contents')) ??
    toList(dig(results, 'richGridRenderer', 'contents')) ??
    appended(answer, 'onResponseReceivedCommands');
  if (sections.length === 0) throw responseChanged('the answer has no results');
  const entries = sections.flatMap((section) => toList(dig(section, 'itemSectionRenderer', 'contents')) ?? [section]);
  return webPage(entries, (entry) => {
    const row = shownRow(entry);
    return row === undefined || row === notARow || type.includes(row.kind) ? row : notARow;
  });
}

function webResult(row: ShownRow): Result {
  return {
    id: row.id,
    result_type: row.kind,
    title: row.title,
    description: row.description,
    channel_id: row.author_id,
    author: row.author,
    thumbnails: webImages([row.thumbnails], 'thumbnail'),
    live_status: row.live_status,
  };
}

/**
 * Adds the parameters of the search and a position (1, 2, 3, …) to each result. The positions of a page continue those
 * of the previous page.
 */
function withPositions(
  rows: Result[],
  params: LongvideoSearchParams,
  next: SourceCursor | null,
): SourceAnswer<SearchResult[]> {
  const before = toCount(params.cursor?.at.before) ?? 0;
  const { query, region_code, language, order } = params;
  const record = rows.map((row, index) => ({
    ...blank(searchResult),
    ...row,
    permalink: permalinkOf(row),
    query,
    position: before + index + 1,
    region_code,
    language,
    order,
  }));
  return { record, next: next && { ...next, before: before + rows.length } };
}

function permalinkOf({ id, result_type }: Result): string | null {
  if (typeof id !== 'string') return null;
  if (result_type === 'channel') return `https://www.youtube.com/channel/${id}`;
  return result_type === 'playlist'
    ? `https://www.youtube.com/playlist?list=${id}`
    : `https://www.youtube.com/watch?v=${id}`;
}
