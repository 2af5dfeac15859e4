import { parseArgs } from 'node:util';
import { findWorkspace, type WorkspaceRow } from '../../db/accounts/workspaces.ts';
import type { Database } from '../../db/connect.ts';
import { isId } from '../../db/ids.ts';
import type { Log } from '../../db/log.ts';
import type { Config } from '../../server/config.ts';
import { nearest } from '../../server/http/nearest.ts';

/** Thrown for a wrong command line. The message says what is wrong and how to write the command. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Returns the error for a workspace id that the database does not have. */
export function noWorkspace(workspaceId: string): UsageError {
  return new UsageError(`There is no workspace ${workspaceId}: \`workspace list\` shows the IDs.`);
}

export interface Result {
  /** The value to print with `--json`. */
  json: unknown;
  /** The text to print without `--json`. */
  text: string;
  exit_code?: number;
}

export interface Context {
  args: string[];
  options: Record<string, string | undefined>;
  json: boolean;
  db: Database;
  config: Config;
  now: () => Date;
}

/** Reads the id of a workspace that exists. Throws UsageError otherwise. */
export async function existingWorkspace(command: Command, name: string, { args, db }: Context): Promise<WorkspaceRow> {
  const workspaceId = commandId(command, name, args[0] as string);
  const workspace = await findWorkspace(db.sql, workspaceId);
  if (!workspace) throw noWorkspace(workspaceId);
  return workspace;
}

/** The texts that describe a command of the operator's command line. */
interface Described {
  /** The name of the command, such as `workspace create`. */
  name: string;
  /** The arguments as the usage text shows them. */
  usage: string;
  does: string;
  /** Names of the arguments. If the last name ends in `…`, any number of arguments can follow there. */
  args: readonly string[];
  /** Names of the options. Each option takes a value. */
  options: readonly string[];
}

/** A command that works with the database. */
export interface Command extends Described {
  run(context: Context): Promise<Result>;
}

/** A command that opens the database itself, or works without one. */
export interface OfflineCommand extends Described {
  runOffline(context: OfflineContext): Promise<Result>;
}

interface OfflineContext {
  args: string[];
  env: NodeJS.ProcessEnv;
  log: Log;
}

export interface ReadCall<C> {
  command: C;
  args: string[];
  options: Record<string, string | undefined>;
  json: boolean;
}

/**
 * Returns the command in a command line, with its arguments and options. Throws a UsageError that says what to write
 * instead.
 */
export function readCall<C extends Described>(commands: readonly C[], line: string[]): ReadCall<C> {
  const command = commands.find(({ name }) => name.split(' ').every((word, index) => line[index] === word));
  if (!command) throw unknownCommand(commands, line);
  const rest = line.slice(command.name.split(' ').length);
  const { positionals: args, values } = parseRest(command, rest);
  const many = command.args.at(-1)?.endsWith('…') === true;
  if (many ? args.length < command.args.length - 1 : args.length !== command.args.length) throw wrongUse(command);
  const { json, ...options } = values;
  return { command, args, options: options as ReadCall<C>['options'], json: json === true };
}

function parseRest(command: Described, args: string[]) {
  const options = Object.fromEntries(command.options.map((name) => [name, { type: 'string' as const }]));
  try {
    const all = { ...options, json: { type: 'boolean' as const } };
    return parseArgs({ args: withNegatives(command, args), allowPositionals: true, options: all });
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n${lineOf(command)}`);
  }
}

/**
 * Returns the arguments in a form in which parseArgs accepts negative numbers, which look like options. A negative
 * number after an option is joined to the option, as in `--cap=-5`. Other negative numbers move to the end, after `--`.
 */
function withNegatives(command: Described, args: string[]): string[] {
  const isNegative = (word = '') => /^-\d/.test(word);
  if (args.includes('--') || !args.some(isNegative)) return args;
  const takesValue = (word = '') => command.options.some((name) => word === `--${name}`);
  const joined = args.flatMap((word, index) => {
    if (takesValue(word) && isNegative(args[index + 1])) return [`${word}=${args[index + 1]}`];
    return isNegative(word) && takesValue(args[index - 1]) ? [] : [word];
  });
  return [...joined.filter((word) => !isNegative(word)), '--', ...joined.filter(isNegative)];
}

function unknownCommand(commands: readonly Described[], args: string[]): UsageError {
  const near = nearest(
    args.slice(0, 2).join(' '),
    commands.map(({ name }) => name),
  );
  return new UsageError(`There is no such command${near ? `: did you mean ${near}?` : '.'}\n\n${usageText(commands)}`);
}

/** Returns an error that describes the mistake and shows the usage of the command. */
export function wrongUse(command: Pick<Described, 'name' | 'usage'>, problem?: string): UsageError {
  return new UsageError(`${problem ? `${problem}\n` : ''}${lineOf(command)}`);
}

const lineOf = ({ name, usage }: Pick<Described, 'name' | 'usage'>) =>
  `Usage: npm run --silent operator -- ${name} ${usage}`;

/** Returns the help of the operator's command line: each command, and below it what it does. */
export function usageText(commands: readonly Described[]): string {
  const rows = commands.map(({ name, usage, does }) => `${`${name} ${usage}`.trimEnd()}\n    ${does}`);
  return `npm run --silent operator -- COMMAND [--json]\n\n${rows.join('\n')}`;
}

type Cell = string | number | boolean | Date | null | undefined;

/** Returns rows as aligned columns with a header. */
export function textTable(rows: readonly object[]): string {
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

/**
 * Returns the text of a value, without control characters. A user could otherwise give a workspace a name that looks
 * like another row of the table or controls the terminal of the operator.
 */
function cellText(value: Cell): string {
  if (value === null || value === undefined) return '-';
  return value instanceof Date ? value.toISOString() : String(value).replace(/\p{Cc}/gu, '\ufffd');
}

/** Returns a record as text, with one line for each field: its name and its value. */
export function lines(record: object): string {
  const names = Object.keys(record);
  const width = Math.max(...names.map((name) => name.length));
  return names.map((name) => `${name.padEnd(width)}  ${cellText((record as Record<string, Cell>)[name])}`).join('\n');
}

/** Reads the whole number in an option or argument. Throws a UsageError that names the option or argument. */
export function wholeNumber(command: Command, name: string, text: string): number {
  const number = Number(text);
  if (!/^-?\d{1,12}$/.test(text) || !Number.isSafeInteger(number)) {
    throw wrongUse(command, `${name} must be a whole number, not "${text}".`);
  }
  return number;
}

/** Reads an id. Throws UsageError when the text is not a UUID. */
export function commandId(command: Command, name: string, text: string): string {
  if (!isId(text)) throw wrongUse(command, `${name} must be an ID, copied as it was printed, not "${text}".`);
  return text;
}
