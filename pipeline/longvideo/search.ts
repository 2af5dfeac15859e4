import type { Source, SourceAnswer, SourceContext, SourceCursor } from '../collect.ts';
import { SourceError } from '../errors.ts';
import { blank, dig, timeToIso, toCount, toList, toText, unescapeHtml } from '../parse.ts';
import { type SearchResult, searchResult } from '../records/longvideo.ts';
import { type DataApi, dataApiAnswer, dataApiName } from './data-api.ts';
import { type Web, webName } from './innertube.ts';
import { officialImages, webImages } from './media.ts';
import { appended, officialPage, type Page, pageParams, pageRows, webPage } from './pages.ts';
import { type SearchParams, searchTypes } from './params.ts';
import type { Surfaces } from './surfaces.ts';
import { type ShownRow, shownRow } from './web-lockup.ts';

/** The web's filters, each with the exact-query flag, so that no query is corrected. */
const webFilters = { all: '8AEB', video: 'EgIQAfABAQ==', channel: 'EgIQAvABAQ==', playlist: 'EgIQA_ABAQ==' } as const;

export function searchSources({ api, web }: Surfaces): Source<SearchParams, SearchResult[]>[] {
  return [
    {
      name: dataApiName,
      breaker: `${dataApiName} search`,
      credentials: (config) => config.youtube_api_key !== null,
      collect: (params, context) => officialSearch(api, params, context),
    },
    {
      name: webName,
      credentials: null,
      not_exposed: ['published_at'],
      collect: (params, context) => webSearch(web, params, context),
    },
  ];
}

async function officialSearch(
  api: DataApi,
  params: SearchParams,
  context: SourceContext,
): Promise<SourceAnswer<SearchResult[]>> {
  const { query, type, order, region_code, language, limit, cursor } = params;
  const asked = {
    q: query,
    order,
    ...(type.length === searchTypes.length ? {} : { type: [type.join(',')] }),
    ...(region_code === null ? {} : { regionCode: region_code }),
    ...(language === null ? {} : { relevanceLanguage: language }),
  };
  const { rows, next } = await pageRows(cursor, limit, async (token) => {
    const page = pageParams(limit, token);
    return officialPage(
      await dataApiAnswer(
        api,
        {
          method: 'search.list',
          send: (youtube) => youtube.search.list({ part: ['snippet'], ...asked, ...page }),
          customer_parameters: Object.keys(asked),
        },
        context,
      ),
    );
  });
  return placed(rows.map(officialResult), params, next);
}

/** The official texts of a search, and only of a search, are escaped once. A row may come without any. */
function officialResult(item: unknown): Partial<SearchResult> {
  const snippet = dig(item, 'snippet');
  const kind = toText(dig(item, 'id', 'kind'))?.replace('youtube#', '');
  const result_type = searchTypes.find((type) => type === kind) ?? null;
  const plain = (value: unknown) => {
    const text = toText(value);
    return text === null ? null : unescapeHtml(text);
  };
  const id = result_type && toText(dig(item, 'id', `${result_type}Id`));
  return {
    id,
    result_type,
    title: plain(dig(snippet, 'title')),
    description: plain(dig(snippet, 'description')),
    channel_id: toText(dig(snippet, 'channelId')),
    author: plain(dig(snippet, 'channelTitle')),
    published_at: timeToIso(dig(snippet, 'publishedAt')),
    thumbnails: officialImages(dig(snippet, 'thumbnails'), 'thumbnail'),
    live_status: toText(dig(snippet, 'liveBroadcastContent')),
  };
}

/** The public search knows one order and no region or language: another order is refused, the rest ignored openly. */
async function webSearch(
  web: Web,
  params: SearchParams,
  context: SourceContext,
): Promise<SourceAnswer<SearchResult[]>> {
  const { query, type, order, limit, cursor } = params;
  if (order !== 'relevance') {
    const message = `Without the official source, search results can only be ordered by relevance, not by ${order}.`;
    throw new SourceError('SOURCE_NOT_CONFIGURED', { message });
  }
  const [only, ...others] = type;
  const filter = webFilters[only !== undefined && others.length === 0 ? only : 'all'];
  const { rows, next } = await pageRows(cursor, limit, async (token) => {
    const body = token === null ? { query, params: filter } : { continuation: token };
    return resultsPage(await web('/search', body, context), type);
  });
  const ignored = [params.region_code && 'region_code', params.language && 'language'].filter((name) => name !== null);
  const answer = placed((rows as ShownRow[]).map(webResult), params, next);
  return { ...answer, partial: true, warnings: ignored.map((name) => `${webName} searches without ${name}.`) };
}

function resultsPage(answer: unknown, type: SearchParams['type']): Page {
  const results = dig(answer, 'contents', 'twoColumnSearchResultsRenderer', 'primaryContents', 'sectionListRenderer');
  const sections = toList(dig(results, 'contents')) ?? appended(answer, 'onResponseReceivedCommands');
  if (sections.length === 0)
    throw new SourceError('SOURCE_RESPONSE_CHANGED', { reason: 'the answer holds no results' });
  const entries = sections.flatMap((section) => toList(dig(section, 'itemSectionRenderer', 'contents')) ?? [section]);
  return webPage(entries, (entry) => {
    const row = shownRow(entry);
    return row !== undefined && type.some((kind) => kind === row.kind) ? row : undefined;
  });
}

function webResult(row: ShownRow): Partial<SearchResult> {
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

/** The rows with what the request says of them: their place counts on from page to page. */
function placed(
  rows: Partial<SearchResult>[],
  params: SearchParams,
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

function permalinkOf({ id, result_type }: Partial<SearchResult>): string | null {
  if (typeof id !== 'string') return null;
  if (result_type === 'channel') return `https://www.youtube.com/channel/${id}`;
  return result_type === 'playlist'
    ? `https://www.youtube.com/playlist?list=${id}`
    : `https://www.youtube.com/watch?v=${id}`;
}
