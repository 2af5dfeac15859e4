import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import type { Parameter } from '../../../server/data/parameter.ts';
import { day, fields, searchQuery, searchType } from '../../../server/data/parameters.ts';
import { openApi } from '../../../server/openapi/document.ts';
import { workflows } from '../../../server/workflows/catalog.ts';
import { readTable } from '../../../server/workflows/table.ts';

interface Described {
  name: string;
  schema: object;
}

const document = openApi('http://tidemark.test') as {
  paths: Record<string, { get: { parameters?: (Described | { $ref: string })[] } }>;
  components: { parameters: Record<string, Described> };
};

/** Returns the OpenAPI schema of a parameter as two checks, whose regular expressions have the flag u or not. */
function describedRules(path: string, name: string): ((value: string) => boolean)[] {
  const all = document.paths[path]?.get.parameters ?? [];
  const described = all.find((one) => ('$ref' in one ? one.$ref.endsWith(`/${name}`) : one.name === name));
  if (!described) throw new Error(`${path} has no parameter ${name}.`);
  const { schema } = '$ref' in described ? (document.components.parameters[name] as Described) : described;
  return [true, false].map((unicodeRegExp) => new Ajv2020({ strict: false, unicodeRegExp }).compile<string>(schema));
}

const lists = [
  '',
  ' ',
  ',',
  'video',
  'video,channel',
  ' video , playlist ',
  'video,',
  ',video',
  'video,,channel',
  'film',
];
const paths = ['followers', 'a.b', 'a.b,c-d_e', ' a , b.c ', 'a..b', '.a', 'a.', 'a b', 'a,', '*', 'a\n', 'é', ''];
const words = [
  'tide',
  'tide pools',
  '\n tide \t',
  ' ',
  '',
  '\n',
  'a\nb',
  'a\u0085b',
  'a\u007f',
  '潮 🌊',
  'x'.repeat(201),
];
const days = [
  ...['2026-01-31', '2026-02-28', '2024-02-29', '2000-02-29', '2026-12-31', '2026-02-29', '2026-02-30', '2026-04-31'],
  ...['1900-02-29', '2026-13-01', '2026-00-10', '2026-01-00', '26-01-01', '2026-1-1', '2026-01-31T00:00', ''],
];

test.each<[string, string, Parameter, string[]]>([
  ['/v1/longvideo/search', 'type', searchType, lists],
  ['/v1/longvideo/search', 'q', searchQuery, words],
  ['/v1/longvideo/search', 'query', searchQuery, words],
  ['/v1/adlibrary/company/ads', 'companyName', searchQuery, words],
  ['/v1/adlibrary/company/ads', 'start_date', day, days],
  ['/v1/adlibrary/company/ads', 'end_date', day, days],
  ['/v1/photo/profile', 'fields', fields, paths],
])('the OpenAPI schema of %s %s accepts exactly the texts that the server accepts', (path, name, { schema }, texts) => {
  const accepted = texts.filter((text) => schema.safeParse(text).success);
  expect([accepted.length > 0, accepted.length < texts.length]).toEqual([true, true]);
  for (const rule of describedRules(path, name)) expect(texts.filter((text) => rule(text))).toEqual(accepted);
});

test.each(workflows.map((workflow) => [workflow.path, workflow] as const))(
  'the OpenAPI schema of %s fields accepts exactly the columns of the table',
  (path, { parameters, required, columns }) => {
    const [first = '', second = ''] = columns;
    const texts = [first, columns.join(','), ` ${first} , ${second} `, `${first},`, `${first},x`, `${first}x`, '', ','];
    const accepted = texts.slice(0, 3);
    const read = (text: string) => readTable({ [required]: ['x'], fields: [text] }, parameters, required, columns);
    for (const text of texts) {
      if (accepted.includes(text)) expect(read(text).columns).toEqual(text.split(',').map((name) => name.trim()));
      else expect(() => read(text)).toThrow();
    }
    for (const rule of describedRules(path, 'fields')) expect(texts.filter((text) => rule(text))).toEqual(accepted);
  },
);

test('the OpenAPI schema of the metrics of tracked items accepts exactly the metrics that exist', () => {
  const texts = ['followers', ' views , likes ', 'followers,followers', '', 'follower', 'followers,', 'views likes'];
  for (const rule of describedRules('/v1/workflows/tracked', 'metric')) {
    expect(texts.filter((text) => rule(text))).toEqual(texts.slice(0, 3));
  }
});
