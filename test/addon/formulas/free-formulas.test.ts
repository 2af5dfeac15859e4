import { expect, test } from 'vitest';
import { goodKey, setKey, setUpAddon } from '../spreadsheet-setup.ts';

const setup = setUpAddon();

/** An invented campaign that the fake API knows. */
const spring = { id: '0193481a-0000-7000-8000-000000000001', name: 'Spring launch' };
const twins = [2, 3].map((last) => ({ id: `0193481a-0000-7000-8000-00000000000${last}`, name: 'Twins' }));
const monday = Date.UTC(2026, 10, 16);
const dayMs = 86_400_000;
const observations = {
  'item-1': [0, 1].map((day) => ({
    item_id: 'item-1',
    status: 'OK',
    name: '=Ada()',
    metric: 'followers',
    observed_at: new Date(monday + day * dayMs).toISOString(),
    value: day === 0 ? 1_200 : null,
    quality: day === 0 ? 'rounded' : 'not_exposed',
  })),
};
const report = {
  report_id: null,
  final: false,
  campaign: { ...spring, status: 'active' },
  report_name: null,
  period_start: monday,
  period_end: monday + 7 * dayMs,
  generated_at: monday + 3 * dayMs + 1,
  history_days: 30,
  partial_period: true,
  coverage: { expected_observations: 6, observations: 5, items: 2, items_never_observed: 0 },
  totals: {
    followers: {
      start: 1_000,
      end: 1_200,
      change: 200,
      change_percent: 20,
      items: 1,
      items_missing: 1,
      quality: 'rounded',
    },
    views: { start: null, end: null, change: null, change_percent: null, items: 0, items_missing: 1, quality: null },
  },
  by_platform: [],
  items: [
    {
      ...{ item_id: '1', platform: 'photo', kind: 'profile', url: 'https://photo.example/ada', name: 'Ada' },
      ...{ first_observed_at: monday, last_observed_at: monday + dayMs, status: 'active', rates: [] },
      gaps: [{ from: monday + dayMs, to: monday + 2 * dayMs, cause: 'SOURCE_TIMEOUT' }],
      metrics: { followers: { start: 1_000, end: 1_200, change: 200, change_percent: 20, quality: 'rounded' } },
    },
    {
      ...{ item_id: '2', platform: 'photo', kind: 'post', url: 'https://photo.example/p/2', name: null, gaps: [] },
      ...{ first_observed_at: null, last_observed_at: null, status: 'active', metrics: {} },
      rates: [{ name: 'engagement_rate_by_views', formula: '(likes + comments) / views × 100', percent: 4.5 }],
    },
  ],
  series: [
    {
      ...{ platform: 'photo', metric: 'followers', step: 'day' },
      points: [
        { at: monday, value: 1_000, items: 1, items_missing: 0, quality: 'exact' },
        { at: monday + dayMs, value: null, items: 0, items_missing: 1, quality: null },
      ],
    },
  ],
  notes: ['=The period runs.'],
  method: 'How it is worked out.',
};

async function openFile(campaigns = [spring, ...twins], reports: Record<string, unknown> = { [spring.id]: report }) {
  await setup.api.begin({ keys: [goodKey], observations, campaigns, reports });
  const file = await setup.open();
  setKey(file);
  return file;
}

async function paths() {
  return (await setup.api.log()).requests.map(({ path }) => path).filter((path) => path !== '/v1/credit/balance');
}

test('SOCIAL_TRACKED returns a heading row and one row for each observation, and a row with an error code for a bad item', async () => {
  const file = await openFile();
  file.type('A2', 'item-1', '', 'item-2');
  file.type('B1', '=SOCIAL_TRACKED(A2:A4, "Followers", 30)');
  expect(file.values('B1:I4')).toEqual([
    ['status', 'name', 'metric', 'observed_at (UTC)', 'value', 'quality', 'item_id', 'url'],
    ['OK', '=Ada()', 'followers', '2026-11-16T00:00:00.000Z', 1_200, 'rounded', 'item-1', ''],
    ['OK', '=Ada()', 'followers', '2026-11-17T00:00:00.000Z', '', 'not_exposed', 'item-1', ''],
    ['RESOURCE_NOT_FOUND', '', '', '', '', '', 'item-2', ''],
  ]);
  expect(file.types('F2:F4').flat()).toEqual(['number', 'blank', 'blank']);
  const { requests } = await setup.api.log();
  expect(requests.at(-1)?.parameters).toMatchObject({
    item: ['item-1', 'item-2'],
    metric: ['followers'],
    days: ['30'],
  });
});

test('SOCIAL_TRACKED packs twenty items into a request, and several metrics into one request', async () => {
  const file = await openFile();
  const items = Array.from({ length: 45 }, (_, index) => [`item-${index + 10}`]);
  const rows = file.cell('SOCIAL_TRACKED', [items, [['likes', 'total views', 'likes']]]) as unknown[][];
  expect(rows).toHaveLength(46);
  const { requests } = await setup.api.log();
  const tracked = requests.filter(({ path }) => path === '/v1/workflows/tracked');
  expect(tracked.map(({ parameters }) => parameters.item?.length).toSorted()).toEqual([20, 20, 5]);
  expect(tracked[0]?.parameters).toMatchObject({ metric: ['likes,total_views'], days: [] });
});

test('SOCIAL_TRACKED shows warnings of the server below the observations, or in the row of an item without observations', async () => {
  const file = await openFile();
  const warnings = ['This tier keeps 7 days of history: days was cut from 30.', 'item-3 was not observed.'];
  await setup.api.begin({ keys: [goodKey], observations: { ...observations, 'item-3': [] }, warnings });
  const rows = file.cell('SOCIAL_TRACKED', [[['item-1'], ['item-3']], 'followers', 30]) as unknown[][];
  expect(rows.map((row) => [row[0], row.at(-1)])).toEqual([
    ['status', 'message'],
    ['OK', ''],
    ['OK', ''],
    ['NOTE', warnings[0]],
    ['NOTE', warnings[1]],
  ]);
  const unseen = file.cell('SOCIAL_TRACKED', ['item-3']) as unknown[][];
  expect(unseen.slice(1)).toEqual([['NO_DATA', '', '', '', '', '', '', 'item-3', '', warnings.join(' ')]]);
});

test('SOCIAL_REPORT finds a campaign by its exact name and shows its totals, with unknown values empty', async () => {
  const file = await openFile();
  file.type('A1', 'Spring launch');
  file.type('B1', '=SOCIAL_REPORT(A1)');
  expect(file.values('B1:J3')).toEqual([
    ['status', 'metric', 'start', 'end', 'change', 'change_percent', 'items', 'items_missing', 'quality'],
    ['OK', 'followers', 1_000, 1_200, 200, 20, 1, 1, 'rounded'],
    ['OK', 'views', '', '', '', '', 0, 1, ''],
  ]);
  expect(await paths()).toEqual(['/v1/workflows/campaigns', '/v1/workflows/campaign-report']);
});

test('SOCIAL_REPORT with a campaign id sends one request, and every section has its heading row', async () => {
  const file = await openFile();
  const section = (name: string) => file.cell('SOCIAL_REPORT', [spring.id, name]) as unknown[][];
  expect(section('Series')).toEqual([
    ['status', 'platform', 'metric', 'step', 'at (UTC)', 'value', 'items', 'items_missing', 'quality'],
    ['OK', 'photo', 'followers', 'day', '2026-11-16', 1_000, 1, 0, 'exact'],
    ['OK', 'photo', 'followers', 'day', '2026-11-17', '', 0, 1, ''],
  ]);
  expect(section('notes')).toEqual([
    ['status', 'kind', 'text'],
    ['OK', 'note', '=The period runs.'],
    ['OK', 'method', 'How it is worked out.'],
  ]);
  const [headings = [], values = []] = section('coverage');
  expect(Object.fromEntries(headings.map((name, index) => [name, values[index]]))).toMatchObject({
    status: 'OK',
    campaign: 'Spring launch',
    report_id: '',
    final: false,
    'period_end (UTC)': '2026-11-23T00:00:00.000Z',
    expected_observations: 6,
    items_never_observed: 0,
  });
  const [itemHeadings = [], ada = [], other = []] = section('items');
  expect(itemHeadings.slice(9)).toEqual([
    ...['start', 'end', 'change', 'change_percent', 'quality'].map((column) => `followers_${column}`),
    ...['engagement_rate_by_views_percent', 'engagement_rate_formula', 'gaps'],
  ]);
  expect(ada.slice(7)).toEqual([
    ...['2026-11-16T00:00:00.000Z', '2026-11-17T00:00:00.000Z', 1_000, 1_200, 200, 20, 'rounded', '', ''],
    '2026-11-17T00:00:00.000Z/2026-11-18T00:00:00.000Z SOURCE_TIMEOUT',
  ]);
  expect(other.slice(7)).toEqual(['', '', '', '', '', '', '', 4.5, '(likes + comments) / views × 100', '']);
  expect(new Set(await paths())).toEqual(new Set(['/v1/workflows/campaign-report']));
});

test.each([
  ['totals', 'Sprung launch', 'CAMPAIGN_NOT_FOUND', 'There is no campaign of this name. Did you mean "Spring launch"?'],
  ['items', 'spring launch', 'CAMPAIGN_NOT_FOUND', 'There is no campaign of this name. Did you mean "Spring launch"?'],
  [
    'series',
    'Twins',
    'CAMPAIGN_NAME_NOT_UNIQUE',
    `2 campaigns have this name. Enter the ID of one, such as ${twins[0]?.id}.`,
  ],
  ['notes', spring.id.replace(/1$/, '9'), 'RESOURCE_NOT_FOUND', 'This workspace has no such campaign.'],
])(
  'the section %s of SOCIAL_REPORT for %s has the code in the status column and the message in a text column',
  async (section, campaign, code, sentence) => {
    const file = await openFile();
    const [headings = [], row = []] = file.cell('SOCIAL_REPORT', [campaign, section]) as unknown[][];
    expect(row).toEqual([code, sentence, ...headings.slice(2).map(() => '')]);
  },
);

test('SOCIAL_REPORT says when a workspace has no campaigns, a report has no rows, or an answer is not a report', async () => {
  const empty = await openFile([]);
  expect(empty.cell('SOCIAL_REPORT', ['X', 'notes'])).toEqual([
    ['status', 'kind', 'text'],
    ['CAMPAIGN_NOT_FOUND', 'There is no campaign of this name. The workspace has no campaigns yet.', ''],
  ]);
  const unseen = await openFile([], { [spring.id]: { ...report, totals: {} } });
  expect(unseen.cell('SOCIAL_REPORT', [spring.id])).toMatchObject({
    1: { 0: 'NO_DATA', 1: 'The server returned no rows for this request.' },
  });
  const odd = await openFile([], { [spring.id]: { coverage: {} } });
  expect(odd.cell('SOCIAL_REPORT', [spring.id, 'coverage'])).toMatchObject({ 1: { 0: 'SERVER_ANSWER_UNREADABLE' } });
  expect(odd.cell('SOCIAL_REPORT', [''])).toEqual([['']]);
});

test('SOCIAL_CREDITS is one number, or an error with a sentence when the balance is unknown', async () => {
  const file = await openFile();
  file.type('A1', '=SOCIAL_CREDITS()');
  expect(file.sheet().A1).toMatchObject({ type: 'number', value: 9_000 });
  await setup.api.begin({});
  file.reopen();
  expect(file.sheet().A1).toMatchObject({
    value: '#ERROR!',
    message: expect.stringMatching(/key.+\(INVALID_API_KEY\)/),
  });
  const fresh = await setup.open();
  expect(() => fresh.cell('SOCIAL_CREDITS', [])).toThrow('(API_KEY_NOT_SET)');
});

test('the free formulas run again when their refresh cell changes, and any content of that cell is accepted', async () => {
  const file = await openFile();
  file.type('H1', 'anything');
  file.type('A1', '=SOCIAL_CREDITS(H1)');
  file.type('A3', '=SOCIAL_TRACKED("item-1", "followers", "", H1)');
  file.type('A9', '=SOCIAL_REPORT("Spring launch", "", H1)');
  const before = (await setup.api.log()).requests.length;
  file.type('H1', 'fresh 2026-11-20T10:00:00.000Z');
  expect((await setup.api.log()).requests.length - before).toBe(4);
  expect((await setup.api.log()).credits_charged).toBe(0);
});

test.each([
  ['SOCIAL_TRACKED', 'Enter a tracked item', []],
  ['SOCIAL_TRACKED', 'There is no metric "folowers". Did you mean "followers"?', ['item-1', 'folowers']],
  ['SOCIAL_TRACKED', 'days must be a whole number from 1 to 365', ['item-1', 'views', 0]],
  ['SOCIAL_TRACKED', 'at most 200 items', [Array.from({ length: 201 }, (_, index) => [`i${index}`]), 'views']],
  ['SOCIAL_REPORT', 'Enter one campaign', []],
  ['SOCIAL_REPORT', 'Enter one campaign', [[['a'], ['b']]]],
  ['SOCIAL_REPORT', 'as text', [new Date(0)]],
  ['SOCIAL_REPORT', 'There is no section "total". Did you mean "totals"?', ['a', 'total']],
  ['SOCIAL_REPORT', 'Enter one section', ['a', 'totals,items']],
])('the formula %s is an error before any request: %s', async (name, sentence, args) => {
  const file = await openFile();
  expect(() => file.cell(name, args)).toThrow(sentence);
  expect(await paths()).toEqual([]);
});
