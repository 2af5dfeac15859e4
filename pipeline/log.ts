import pino, { type DestinationStream, type Logger } from 'pino';

/** An error as the log shows it. It has only these fields, because other properties of an error can contain tokens and passwords. */
export interface DescribedError {
  type: string;
  message: string;
  code?: string;
  /** Table, column and constraint of a PostgreSQL error. Its `detail` and `where` are never logged, because they contain values. */
  table?: string;
  column?: string;
  constraint?: string;
  stack?: string;
  causes?: DescribedError[];
}

export interface LogOptions {
  /** The lowest level that is written. Default: `info`. */
  level?: 'info' | 'warn';
  /** Where the log is written. Default: standard output. */
  to?: DestinationStream;
}

const maxCauses = 5;
const maxDepth = 5;
const maxMessageLength = 2_000;
/** Class of PostgreSQL error codes (SQLSTATE) whose message quotes the value that was sent. */
const dataException = '22';

/** Creates the log of a process, which writes JSON lines. {@link describeError} decides which parts of an error in `err` are written. */
export function createLog({ level = 'info', to = pino.destination(1) }: LogOptions = {}): Logger {
  return pino(
    {
      base: null,
      level,
      serializers: { err: describeError },
      redact: { paths: ['*.token', '*.key', '*.authorization'], remove: true },
    },
    to,
  );
}

/**
 * Creates the log of answered requests. Callers pass only fields without secrets, so this log does not search for secrets to remove. That
 * search takes a third of the time of a line.
 */
export function createRequestLog(to: DestinationStream = joinedLines(1)): Logger {
  return pino({ base: null, serializers: { err: describeError } }, to);
}

/**
 * Returns a destination that collects the log lines of one turn of the event loop and writes them together, because each write is a
 * system call. It also writes the lines when the process exits, but a SIGKILL in the same turn loses them.
 */
export function joinedLines(to: number | string): DestinationStream {
  const file = pino.destination(to);
  let lines = '';
  const write = () => {
    if (lines === '') return;
    const joined = lines;
    lines = '';
    file.write(joined);
  };
  process.on('exit', write);
  return {
    write(line) {
      if (lines === '') setImmediate(write);
      lines += line;
    },
  };
}

/** Returns the parts of a thrown value that may be logged. The SQL statement and the parameters of a failed query are left out. */
export function describeError(error: unknown, depth = 0): DescribedError {
  if (!(error instanceof Error)) return describeOther(error, depth);
  const code = textOf(error, 'code');
  const described: DescribedError = { type: error.name, message: messageOf(error, code) };
  const named = {
    code,
    table: textOf(error, 'table_name'),
    column: textOf(error, 'column_name'),
    constraint: textOf(error, 'constraint_name'),
    stack: framesOf(error),
  };
  for (const [name, value] of Object.entries(named)) if (value !== null) Object.assign(described, { [name]: value });
  return withCauses(described, [error.cause, ...(error instanceof AggregateError ? error.errors : [])], depth);
}

// Libraries throw or log objects such as { message, details: [error] }. Only the message of such an object and the errors in it are
// logged.
function describeOther(value: unknown, depth: number): DescribedError {
  if (typeof value !== 'object' || value === null) return { type: typeof value, message: 'a value was thrown' };
  const message = 'message' in value && typeof value.message === 'string' ? value.message : 'no message';
  const inside = Object.values(value)
    .flat()
    .filter((part) => part instanceof Error);
  return withCauses({ type: 'Object', message: shorten(message) }, inside, depth);
}

function withCauses(described: DescribedError, causes: unknown[], depth: number): DescribedError {
  const found = depth < maxDepth ? causes.filter((cause) => cause !== undefined && cause !== null) : [];
  if (found.length > 0) described.causes = found.slice(0, maxCauses).map((cause) => describeError(cause, depth + 1));
  return described;
}

function messageOf(error: Error, code: string | null): string {
  if (code?.startsWith(dataException)) return shorten(error.message.replace(/"(?:[^"]|"")*"/gs, '"…"'));
  return shorten(error.message);
}

function shorten(text: string): string {
  // Drizzle puts the SQL statement and its parameters into the message. This message is not logged, because the parameters can be
  // personal data.
  if (text.startsWith('Failed query:')) return 'A query failed.';
  return text.length > maxMessageLength ? `${text.slice(0, maxMessageLength)}…` : text;
}

/** Returns the stack frames without the first lines of the stack, which repeat the message. */
function framesOf(error: Error): string | null {
  const frames = (error.stack ?? '').split('\n').filter((line) => /^ {4}at /.test(line));
  return frames.length > 0 ? frames.join('\n') : null;
}

function textOf(error: Error, name: string): string | null {
  const value = (error as unknown as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : null;
}
