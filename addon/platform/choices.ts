import { asObject } from './client.ts';
import { PlainError } from './page-call.ts';

const choicesProperty = 'sidebar_choices';
/**
 * Maximum characters of the choices that the sidebar saves for a user. Apps Script stores at most 9 kB in one property.
 */
const maxChoicesCharacters = 6_000;

/**
 * The choices of a user in the sidebar. They are saved with the user's Google account, for all spreadsheets. `tab`: the
 * section that was open last. `asked`: true when the user has answered the question who may use the API key. `samples`:
 * true when the user has tried the sample data. `fields`, `ages` and `platforms`: the last selected values of the
 * inputs, by formula or section.
 */
export type Choices = {
  tab?: string;
  asked?: boolean;
  samples?: boolean;
  fields?: Record<string, string[]>;
  ages?: Record<string, string>;
  platforms?: Record<string, string>;
};

/** Returns what the user chose earlier in the sidebar; an empty object when nothing was saved. */
export function readChoices(): Choices {
  try {
    const text = PropertiesService.getUserProperties().getProperty(choicesProperty);
    return checkedChoices(text === null ? null : JSON.parse(text));
  } catch {
    return {};
  }
}

/**
 * Saves what the user chose in the sidebar and replaces what was saved earlier.
 *
 * @throws PlainError when the choices are too long for one property.
 */
export function saveChoices(input: unknown): { ok: true } {
  const text = JSON.stringify(checkedChoices(input));
  if (text.length > maxChoicesCharacters) throw new PlainError('The choices are too long to be remembered.');
  PropertiesService.getUserProperties().setProperty(choicesProperty, text);
  return { ok: true };
}

/**
 * Returns the choices without the values that have a wrong type. The choices come from a web page, so they cannot be
 * trusted.
 */
function checkedChoices(input: unknown): Choices {
  const { tab, asked, samples, fields, ages, platforms } = asObject(input) ?? {};
  return {
    ...(typeof tab === 'string' ? { tab } : {}),
    ...(asked === true ? { asked } : {}),
    ...(samples === true ? { samples } : {}),
    fields: entriesOf(fields, (names): names is string[] => Array.isArray(names) && names.every(isText)),
    ages: entriesOf(ages, isText),
    platforms: entriesOf(platforms, isText),
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function entriesOf<T>(input: unknown, isRight: (value: unknown) => value is T): Record<string, T> {
  const right: Record<string, T> = {};
  for (const [name, value] of Object.entries(asObject(input) ?? {})) if (isRight(value)) right[name] = value;
  return right;
}
