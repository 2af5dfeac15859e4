import { parseArgs } from 'node:util';
import type { Database } from '../../db/connect.ts';
import type { Config } from '../../server/config.ts';
import { nearest } from '../../server/http/nearest.ts';

/** What was called wrong, and how it is called. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export interface Result {
  /** For machines (`--json`). */
  json: unknown;
  /** For people. */
  text: string;
  exit_code?: number;
}

export interface Context {
  words: string[];
  options: Record<string, string | undefined>;
  json: boolean;
  db: Database;
  config: Config;
  now: () => Date;
}

/** One call of the operator's command line. */
export interface Command {
  /** The words that call it, as `workspace create`. */
  name: string;
  /** What follows the name, for the usage text. */
  usage: string;
  does: string;
  /** Names of the words after the name; a last one ending in `…` takes any number. */
  words: readonly string[];
  /** Names of the options, all of which take a value. */
  options: readonly string[];
  run(context: Context): Promise<Result>;
}

export interface ReadCall {
  command: Command;
  words: string[];
  options: Record<string, string | undefined>;
  json: boolean;
}

/** Finds the command and its words and options; throws UsageError with what to write instead. */
export function readCall(commands: readonly Command[], given: string[]): ReadCall {
  const command = commands.find(({ name }) => name.split(' ').every((word, index) => given[index] === word));
  if (!command) throw unknownCommand(commands, given);
  const rest = given.slice(command.name.split(' ').length);
  const { positionals: words, values } = parsed(command, rest);
  const many = command.words.at(-1)?.endsWith('…') === true;
  if (many ? words.length < command.words.length - 1 : words.length !== command.words.length) throw wrongUse(command);
  const { json, ...options } = values;
  return { command, words, options: options as ReadCall['options'], json: json === true };
}

function parsed(command: Command, args: string[]) {
  const options = Object.fromEntries(command.options.map((name) => [name, { type: 'string' as const }]));
  try {
    const all = { ...options, json: { type: 'boolean' as const } };
    return parseArgs({ args: withNegatives(args), allowPositionals: true, options: all });
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n${lineOf(command)}`);
  }
}

// A word that is a negative number would be taken for an option, unless it stands behind `--`.
function withNegatives(args: string[]): string[] {
  const isNegative = (word: string) => /^-\d/.test(word);
  if (args.includes('--') || !args.some(isNegative)) return args;
  return [...args.filter((word) => !isNegative(word)), '--', ...args.filter(isNegative)];
}

function unknownCommand(commands: readonly Command[], given: string[]): UsageError {
  const near = nearest(
    given.slice(0, 2).join(' '),
    commands.map(({ name }) => name),
  );
  return new UsageError(`There is no such call${near ? `: did you mean ${near}?` : '.'}\n\n${usageText(commands)}`);
}

/** How a command is called wrongly: its own line of the usage text. */
export function wrongUse(command: Pick<Command, 'name' | 'usage'>, problem?: string): UsageError {
  return new UsageError(`${problem ? `${problem}\n` : ''}${lineOf(command)}`);
}

const lineOf = ({ name, usage }: Pick<Command, 'name' | 'usage'>) =>
  `Usage: npm run --silent operator -- ${name} ${usage}`;

export function usageText(commands: readonly Command[]): string {
  const rows = commands.map(({ name, usage, does }) => ({ call: `${name} ${usage}`, does }));
  return `npm run --silent operator -- CALL [--json]\n\n${table(rows)}`;
}

type Cell = string | number | boolean | Date | null | undefined;

/** Rows as aligned columns under their names. */
export function table(rows: readonly object[]): string {
  if (rows.length === 0) return 'none';
  const names = Object.keys(rows[0] as object);
  const cells = [names, ...rows.map((row) => names.map((name) => cellText((row as Record<string, Cell>)[name])))];
  const widths = names.map((_, column) => Math.max(...cells.map((row) => (row[column] as string).length)));
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] as number))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function cellText(value: Cell): string {
  if (value === null || value === undefined) return '-';
  return value instanceof Date ? value.toISOString() : String(value);
}

/** One record as lines of name and value. */
export function lines(record: object): string {
  const names = Object.keys(record);
  const width = Math.max(...names.map((name) => name.length));
  return names.map((name) => `${name.padEnd(width)}  ${cellText((record as Record<string, Cell>)[name])}`).join('\n');
}

/** A whole number of an option or word; throws UsageError naming it. */
export function wholeNumber(command: Command, name: string, text: string): number {
  const number = Number(text);
  if (!/^-?\d{1,12}$/.test(text) || !Number.isSafeInteger(number)) {
    throw wrongUse(command, `${name} must be a whole number, not "${text}".`);
  }
  return number;
}

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** An id as it was printed; throws UsageError, so that no statement is asked with nonsense. */
export function idOf(command: Command, name: string, text: string): string {
  if (!uuidPattern.test(text)) throw wrongUse(command, `${name} must be an id as it was printed, not "${text}".`);
  return text;
}
