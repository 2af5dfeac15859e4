import { sheetFormula } from './sheet-formula.ts';

/** An example request to the API. `query` has no parameters with an empty value. */
interface SampleCall {
  base_url: string;
  path: string;
  query: readonly (readonly [name: string, value: string])[];
}

interface CallSample {
  id: 'curl' | 'typescript' | 'python' | 'sheet';
  label: string;
  code: string;
}

/** Placeholder that readers replace with their own API key. */
export const keyPlaceholder = 'YOUR_API_KEY';

/**
 * Returns code for the request in several languages, ready to run. Also returns a spreadsheet formula when one exists.
 */
export function callSamples(call: SampleCall): CallSample[] {
  const formula = sheetFormula(call.path, call.query);
  return [
    { id: 'curl', label: 'curl', code: curl(call) },
    { id: 'typescript', label: 'TypeScript', code: typescript(call) },
    { id: 'python', label: 'Python', code: python(call) },
    ...(formula ? [{ id: 'sheet', label: 'Google Sheets (with the add-on)', code: formula } as const] : []),
  ];
}

const isCsv = ({ query }: SampleCall) => query.some(([name, value]) => name === 'format' && value === 'csv');

/**
 * Returns a curl command. The URL needs no escaping inside double quotes, because URLSearchParams encodes all
 * characters that a shell would interpret.
 */
function curl({ base_url, path, query }: SampleCall): string {
  const search = query.length > 0 ? `?${new URLSearchParams(query.map(([...pair]) => pair))}` : '';
  return `curl -H "x-api-key: ${keyPlaceholder}" "${base_url}${path}${search}"`;
}

/** Returns the text of a function call, such as `name(first, second)`. */
const callOf = (name: string, ...values: string[]) => `${name}(${values.join(', ')})`;
const quoted = (value: string) => JSON.stringify(value);
const single = (value: string) => (/['\\]/.test(value) || quoted(value).includes('\\') ? quoted(value) : `'${value}'`);

function typescript(call: SampleCall): string {
  const { base_url, path, query } = call;
  const pairs = query.map(([name, value]) => `url.searchParams.append(${single(name)}, ${single(value)});`);
  const read = isCsv(call) ? 'text' : 'json';
  const printed = isCsv(call) ? 'answer' : 'JSON.stringify(answer, null, 2)';
  return [
    `const url = new URL(${single(base_url + path)});`,
    ...pairs,
    `const response = await ${callOf('fetch', 'url', `{ headers: { 'x-api-key': ${single(keyPlaceholder)} } }`)};`,
    `const answer = await response.${read}();`,
    'if (!response.ok) console.error(response.status);',
    `console.log(${printed});`,
  ].join('\n');
}

function python(call: SampleCall): string {
  const { base_url, path, query } = call;
  const pairs = query.map(([name, value]) => `    (${quoted(name)}, ${quoted(value)}),`);
  const read = isCsv(call) ? 'response.read().decode()' : 'json.load(response)';
  const printed = isCsv(call) ? 'answer' : 'json.dumps(answer, indent=2)';
  return [
    'import json',
    'from urllib.error import HTTPError',
    'from urllib.parse import urlencode',
    'from urllib.request import Request, urlopen',
    '',
    ...(pairs.length > 0 ? ['query = urlencode([', ...pairs, '])'] : []),
    `url = ${quoted(base_url + path)}${pairs.length > 0 ? ' + "?" + query' : ''}`,
    'try:',
    `    response = urlopen(Request(url, headers={"x-api-key": ${quoted(keyPlaceholder)}}))`,
    'except HTTPError as error:',
    '    response = error',
    `answer = ${read}`,
    `print(${printed})`,
  ].join('\n');
}
