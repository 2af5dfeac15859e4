import { asObject } from './client.ts';
import { PlainError } from './page-call.ts';

const choicesProperty = 'sidebar_choices';
/** Maximum characters of the saved choices: less than the 9 kB that Apps Script stores in one property. */
const choicesCharactersMax = 6_000;

/**
 * The choices of a user that the sidebar saves for all files. `tab`: the section that was open last. `asked`: the user has
 * answered who may use the key. `samples`: the user has tried the samples. `fields`, `ages` and `platforms`: the last
 * choices, by formula or section.
 */
export type Choices = {
  tab?: string;
  asked?: boolean;
  samples?: boolean;
  fields?: Record<string, string[]>;
  ages?: Record<string, string>;
  platforms?: Record<string, string>;
};

/** Returns the saved choices of the user; an empty object when nothing was saved. */
export function readChoices(): Choices {
  try {
    const text = PropertiesService.getUserProperties().getProperty(choicesProperty);
    return checkedChoices(text === null ? null : JSON.parse(text));
  } catch {
    return {};
  }
}

/** Saves the choices of the user in place of the earlier ones. @throws PlainError when they are too long. */
export function saveChoices(input: unknown): { ok: true } {
  const text = JSON.stringify(checkedChoices(input));
  if (text.length > choicesCharactersMax) throw new PlainError('The choices are too long to be remembered.');
  PropertiesService.getUserProperties().setProperty(choicesProperty, text);
  return { ok: true };
}

/** Returns the parts that have the right type. The input comes from a web page. */
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
