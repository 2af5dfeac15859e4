import { html, raw } from 'hono/html';
import { quantity } from '../../../pipeline/quantity.ts';
import { catalog } from '../../data/catalog.ts';
import type { Parameter } from '../../data/parameter.ts';
import { type Availability, parametersOf, type Route } from '../../data/route.ts';
import { parameterObject } from '../../openapi/parts.ts';
import { identifierFamilies, reservedIdentifiers, scenarios } from '../../sandbox/scenarios.ts';
import { workflows } from '../../workflows/catalog.ts';
import { field, type Piece, select, textarea } from '../ui/components.ts';
import { platformNames } from '../ui/platform-names.ts';

export interface PlayRoute {
  path: string;
  group: string;
  summary: string;
  price: string;
  availability: Availability;
  /**
   * Parameters such as handle and url, of which a request must have exactly one. Empty for a route without such
   * parameters.
   */
  identifiers: readonly string[];
  required: readonly string[];
  parameters: Readonly<Record<string, Parameter>>;
}

export interface PlayCall {
  route: PlayRoute;
  values: readonly (readonly [string, string])[];
  key_id: string;
}

function dataRoute(route: Route): PlayRoute {
  const { path, summary, cost, availability, identifiers, required = {} } = route;
  const { estimate: _, ...others } = parametersOf(route);
  const platform = path.split('/')[2] as string;
  return {
    path,
    group: platformNames[platform] ?? platform,
    summary,
    price: quantity(cost, 'credit'),
    availability,
    identifiers: Object.keys(identifiers),
    required: Object.keys(required),
    parameters: { ...identifiers, ...others },
  };
}

const forSheets = workflows.map(({ path, summary, price, required, parameters: { estimate: _, ...parameters } }) => {
  return {
    path,
    group: 'Sheets',
    summary,
    price,
    availability: 'available',
    identifiers: [required],
    required: [],
    parameters,
  } as const;
});

const balance: PlayRoute = {
  path: '/v1/credit/balance',
  group: 'Account',
  summary: 'Credits left',
  price: 'free',
  availability: 'available',
  identifiers: [],
  required: [],
  parameters: {},
};

/** Every route of the playground, in the order of the catalog. */
export const playRoutes: readonly PlayRoute[] = [...catalog.map(dataRoute), ...forSheets, balance];

/**
 * Returns true when an API route supports `estimate=true`, which returns only the cost of a request. All other routes
 * are free.
 */
export const hasEstimate = ({ group, path }: PlayRoute) => group !== 'Account' && path !== '/v1/workflows/tracked';

/** Handle of the invented account in the sandbox. */
const sampleHandle = 'tidemark.sample';

/**
 * Returns the initial values of the form for an API route: its first identifier, such as a handle, and its required
 * parameters. In the sandbox, the handle is the sample account.
 */
export function firstValues({ identifiers, required, parameters }: PlayRoute, sandbox: boolean): [string, string][] {
  return [...identifiers.slice(0, 1), ...required].map((name) => {
    const { schema, example } = parameters[name] as Parameter;
    const isSample = sandbox && name === 'handle' && schema.safeParse(sampleHandle).success;
    return [name, isSample ? sampleHandle : example];
  });
}

/**
 * Returns the name of the form field of a parameter. The prefix avoids a conflict with the other fields of the form.
 */
export const fieldName = (parameter: string) => `p-${parameter}`;

/**
 * Returns a pair of name and value for each non-empty parameter of a form or a query. When a parameter can be repeated,
 * each line of its field becomes a pair.
 */
export function valuesIn({ parameters }: PlayRoute, fields: FormData | URLSearchParams): [string, string][] {
  return Object.entries(parameters).flatMap(([name, { repeated }]) => {
    const value = fields.get(fieldName(name));
    if (typeof value !== 'string') return [];
    const values = repeated === undefined ? [value] : value.split(/\r\n|[\r\n]/);
    return values
      .map((text) => text.trim())
      .filter((text) => text !== '')
      .map((text): [string, string] => [name, text]);
  });
}

/** Returns the form for choosing a route, in groups such as Instagram or Sheets, with the price of each route. */
export function routePicker(chosen: PlayRoute): Piece {
  const groups = Map.groupBy(playRoutes, ({ group }) => group);
  const label = ({ path, summary, price, availability }: PlayRoute) =>
    `${path}: ${summary} (${price}${availability === 'available' ? '' : `, ${availability}`})`;
  return html`<form method="get" action="/dashboard/playground" class="row filter"><div class="field"><label for="route">Route</label>
<select id="route" name="route">${[...groups].map(
    ([name, routes]) =>
      html`<optgroup label="${name}">${routes.map((route) => html`<option value="${route.path}"${raw(route.path === chosen.path ? ' selected' : '')}>${label(route)}</option>`)}</optgroup>`,
  )}</select></div><button class="quiet">Choose route</button></form>`;
}

/**
 * Returns the form fields of an API route's parameters, the required ones first. The optional fields are collapsed
 * while all of them are empty.
 */
export function parameterFields(route: PlayRoute, values: readonly (readonly [string, string])[]): Piece {
  const first = [...route.identifiers, ...route.required];
  const others = Object.keys(route.parameters).filter((name) => !first.includes(name));
  const show = (name: string) => parameterField(name, route, values);
  const filled = others.some((name) => values.some(([filledName]) => filledName === name));
  const several = route.identifiers.length > 1;
  return html`${several ? html`<p>Send exactly one of ${route.identifiers.join(', ')}.</p>` : null}
<div class="columns">${first.map(show)}</div>
${others.length > 0 ? html`<details${raw(filled ? ' open' : '')}><summary>More parameters</summary><div class="columns">${others.map(show)}</div></details>` : null}`;
}

interface FieldSchema {
  type?: string;
  enum?: string[];
  default?: unknown;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
}

function parameterField(name: string, route: PlayRoute, values: readonly (readonly [string, string])[]): Piece {
  const parameter = route.parameters[name] as Parameter;
  const { description, example, repeated } = parameter;
  const typed = values.filter(([other]) => other === name).map(([, value]) => value);
  const id = fieldName(name);
  const hint = `${sentence(description)}${example === '' ? '' : ` Example: ${example}`}`;
  if (repeated !== undefined)
    return textarea(name, id, { value: typed.join('\n'), rows: 3, hint: `${hint} One per line.` });
  const schema = parameterObject(name, parameter, false).schema as FieldSchema;
  const choices = schema.enum ?? (schema.type === 'boolean' ? ['true', 'false'] : null);
  if (choices) {
    const fallback = schema.default ?? (schema.type === 'boolean' ? 'false' : null);
    const none: [string, string] = ['', fallback === null ? 'not sent' : `not sent: ${String(fallback)}`];
    const options = { value: typed[0] ?? '', hint: sentence(description) };
    return select(name, id, [none, ...choices.map((value): [string, string] => [value, value])], options);
  }
  const whole = schema.type === 'integer';
  return field(name, id, {
    type: whole ? 'number' : 'text',
    value: typed[0] ?? '',
    hint,
    autocomplete: 'off',
    required: route.required.includes(name) || (route.identifiers.length === 1 && route.identifiers[0] === name),
    ...(whole ? { min: String(schema.minimum ?? ''), max: String(schema.maximum ?? '') } : {}),
    ...(schema.maxLength ? { maxlength: schema.maxLength } : {}),
    ...(schema.pattern ? { pattern: browserPattern(schema.pattern) } : {}),
    ...(scenariosOf(route, name) ? { list: scenarioList(id) } : {}),
  });
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/**
 * Escapes a hyphen at the end of a character class, because browsers refuse an unescaped hyphen in the `pattern`
 * attribute.
 */
const browserPattern = (pattern: string) => pattern.replaceAll('-]', '\\-]');

/**
 * Returns the sandbox identifiers that a parameter accepts, one for each test scenario. Returns null when the parameter
 * accepts none.
 */
function scenariosOf({ identifiers, parameters }: PlayRoute, name: string): string[] | null {
  const { schema, repeated } = parameters[name] as Parameter;
  if (!identifiers.includes(name) || repeated !== undefined) return null;
  const families = identifierFamilies.map(reservedIdentifiers);
  return families.find((ids) => ids.every((id) => schema.safeParse(id).success)) ?? null;
}

const scenarioList = (id: string) => `${id}-scenarios`;

/** Returns `<datalist>` elements with the sandbox identifiers that browsers suggest in the form fields. */
export function scenarioLists(route: PlayRoute): Piece {
  return html`${route.identifiers.map((name) => {
    const ids = scenariosOf(route, name);
    const options = ids?.map(
      (id, index) => html`<option value="${id}">${`Sandbox: ${scenarios[index]?.name ?? ''}`}</option>`,
    );
    return options ? html`<datalist id="${scenarioList(fieldName(name))}">${options}</datalist>` : null;
  })}`;
}
