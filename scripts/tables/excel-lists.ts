import { readFileSync } from 'node:fs';
import { workflows } from '../../server/workflows/catalog.ts';
import { maxItems, maxUrls } from '../../server/workflows/parameters.ts';

/** A Power Query template that reads a table of the workbook. All such templates are made from list-query.pq. */
interface ListTemplate {
  about: string;
  path: `/v1/workflows/${string}`;
  /** The name of the table in the workbook. */
  table: string;
  /** Name of the repeated query parameter of the route, and the maximum number of its values in one request. */
  parameter: 'url' | 'item';
  per_request: number;
  parts: Record<'settings' | 'values' | 'row_count' | 'notes', string>;
}

const rowForEach = {
  settings: `    // The platform of handles: Instagram, TikTok or YouTube. A column "Platform" in the table takes precedence.
    Platform = "",
    // Accepts cached answers up to this age, for 0 credits: 1d, 3d, 7d, 14d or 30d.
    MaxAge = "1d",`,
  notes: '',
  row_count: ' and List.Count(Response[Value][data][rows]) = List.Count(chunk)',
  values: `    // Pairs of a value and its platform. The platform is empty for URLs, because a URL already contains it.
    Platforms = [instagram = "photo", tiktok = "shortvideo", youtube = "longvideo"],
    PlatformOf = (value as text, word as text) as text =>
        if Text.Contains(value, "/") then ""
        else
            let
                Word = Text.Lower(if word = "" then Platform else word)
            in
                Record.FieldOrDefault(Platforms, Word, Word),
    Values = CellsOf(FoundColumn(ColumnName)),
    Words =
        if FoundColumn("Platform") = null then List.Transform(Values, each "")
        else CellsOf(FoundColumn("Platform")),
    Pairs = List.Buffer(
        List.Distinct(
            List.Transform(
                List.Select(List.Zip({Values, Words}), each _{0} <> ""),
                each {_{0}, PlatformOf(_{0}, _{1})}
            )
        )
    ),
    KeyOf = (value as text, platform as text) as text => platform & " " & value,

    // Each request has values of one platform. The platform is empty for URLs.
    QueryOf = (chunk as list, platform as text) as record =>
        [url = chunk, fields = Text.Combine(Names, ","), cache_max_age = MaxAge]
            & (if platform = "" then [] else [platform = platform]),
    Handle = [code = "PLATFORM_MISSING", message = "This is not a URL. Use the complete link, or add a column Platform with Instagram, TikTok or YouTube."],
    NeedsPlatform = (value as text, platform as text) as logical => platform = "" and not Text.Contains(value, "/"),
    Answered = (platform as text) as list =>
        let
            Own = List.Select(Pairs, each _{1} = platform and not NeedsPlatform(_{0}, _{1})),
            Chunks = ChunksOf(List.Transform(Own, each _{0}))
        in
            List.Zip(
                {
                    List.Transform(Own, each KeyOf(_{0}, platform)),
                    List.Combine(List.Transform(Chunks, each RowsOf(_, QueryOf(_, platform))))
                }
            ),
    Answers = List.Buffer(
        List.Combine(List.Transform(List.Distinct(List.Transform(Pairs, each _{1})), Answered))
    ),
    // Finds a row by its value, so that the rows have the order of the table.
    RowByKey = Record.FromList(List.Transform(Answers, each _{1}), List.Transform(Answers, each _{0})),
    AllRows = List.Transform(
        Pairs,
        each
            if NeedsPlatform(_{0}, _{1}) then FailedRow(_{0}, Handle)
            else Record.Field(RowByKey, KeyOf(_{0}, _{1}))
    ),`,
};

const history = {
  settings: `    // Name of the only metric to show, such as followers or views. When it is empty, all metrics are shown.
    Metric = "",
    // Number of days of history to show, counted back from now.
    Days = "30",`,
  notes: ' & List.Transform(NotesOf(Response[Value]), each FailedRow(null, [code = "NOTE", message = _]))',
  row_count: '',
  values: `    Values = List.Buffer(List.Distinct(List.Select(CellsOf(FoundColumn(ColumnName)), each _ <> ""))),
    QueryOf = (chunk as list) as record =>
        [item = chunk, fields = Text.Combine(Names, ","), days = Days]
            & (if Metric = "" then [] else [metric = Metric]),
    // Notes of the server about the answer, for example about a tracked item that has no observations yet.
    NotesOf = (answer as record) as list => try List.Buffer(answer[meta][warnings]) otherwise {},
    AllRows = List.Combine(List.Transform(ChunksOf(Values), each RowsOf(_, QueryOf(_)))),`,
};

const templates: Record<string, ListTemplate> = {
  'clients/excel/profile-list.pq': {
    about: 'Public numbers of profiles: one row for each link or handle in the table "Profiles" of this workbook.',
    path: '/v1/workflows/profile',
    ...{ table: 'Profiles', parameter: 'url', per_request: maxUrls, parts: rowForEach },
  },
  'clients/excel/post-list.pq': {
    about: 'Public numbers of posts and videos: one row for each link in the table "Posts" of this workbook.',
    path: '/v1/workflows/post',
    ...{ table: 'Posts', parameter: 'url', per_request: maxUrls, parts: rowForEach },
  },
  'clients/excel/tracked-list.pq': {
    about:
      'The stored daily numbers of tracked items, for each link or ID in the table "Tracked" of this workbook. It costs 0 credits.',
    path: '/v1/workflows/tracked',
    ...{ table: 'Tracked', parameter: 'item', per_request: maxItems, parts: history },
  },
};

const dates = ['created_at_platform', 'published_at', 'retrieved_at', 'observed_at'];
const types: Record<string, string> = {
  ...typed('Int64.Type', ['followers', 'following', 'posts', 'total_views', 'credits_charged']),
  ...typed('Int64.Type', ['views', 'likes', 'comments', 'shares', 'favorites']),
  ...typed('type number', ['duration_seconds', 'value']),
  ...typed('type logical', ['verified', 'private', 'cached']),
  ...typed('type datetime', dates),
};

function typed(type: string, columns: readonly string[]): Record<string, string> {
  return Object.fromEntries(columns.map((column) => [column, type]));
}

/** Returns the text of each Power Query template that reads a table of the workbook, by the path of its file. */
export function excelLists(): Record<string, string> {
  const source = readFileSync(new URL('list-query.pq', import.meta.url), 'utf8');
  return Object.fromEntries(Object.entries(templates).map(([file, template]) => [file, fillIn(source, template)]));
}

/** Replaces every `{{name}}` of the source. @throws Error for a name without a text. */
function fillIn(source: string, { about, path, table, parameter, per_request, parts }: ListTemplate): string {
  const columns = workflows.find((workflow) => workflow.path === path)?.columns ?? [];
  const texts: Record<string, string> = {
    ...{ about, path: path.slice(1), table, parameter, per_request: String(per_request), ...parts },
    columns: columns.map((column) => `        {"${column}", ${types[column] ?? 'type text'}}`).join(',\n'),
    dates: columns.flatMap((column) => (dates.includes(column) ? [`"${column}"`] : [])).join(', '),
  };
  return source.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const text = texts[name];
    if (text === undefined) throw new Error(`list-query.pq has {{${name}}}, which has no text.`);
    return text;
  });
}
