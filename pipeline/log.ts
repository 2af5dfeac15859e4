import pino, { type DestinationStream, type Logger } from 'pino';

/**
 * The form of an error in the log. An error has only these fields there, because its other properties can contain
 * tokens and passwords.
 */
interface DescribedError {
  type: string;
  message: string;
  code?: string;
  /**
   * Name of the table of a PostgreSQL error, followed by its column and constraint. The fields `detail` and `where` of
   * PostgreSQL are never logged, because they contain stored values.
   */
  table?: string;
  column?: string;
  constraint?: string;
  stack?: string;
  causes?: DescribedError[];
}

interface LogOptions {
  /** The lowest log level that is written. Default: `info`. */
  level?: 'info' | 'warn';
  /** The stream to which the log is written. Default: standard output. */
  to?: DestinationStream;
}

const maxCauses = 5;
const maxDepth = 5;
const maxMessageLength = 2_000;
/**
 * The first two digits of PostgreSQL error codes for invalid values, such as a malformed number. The messages of these
 * errors quote the value, so the log hides the quoted part.
 */
const dataException = '22';

/**
 * Creates the log of a process, which writes one JSON object per line. An error must be passed as `err`: {@link
 * describeError} then decides which parts of the error are written.
 */
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
 * Creates the log with one line for each answered HTTP request. Callers must pass only fields without secrets. This log
 * does not search for secrets, because the search would take a third of the time for writing a line. `to` is a file
 * descriptor or a path.
 */
export function createRequestLog(to: number | string = 1): Logger {
  return pino({ base: null, serializers: { err: describeError } }, joinedLines(to));
}

/**
 * Returns a log destination that collects the lines of one turn of the event loop and writes them together, because
 * each write is a system call. The collected lines are also written when the process exits. A SIGKILL loses the lines
 * of the current turn.
 */
function joinedLines(to: number | string): DestinationStream {
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

/**
 * Returns the parts of a thrown value that may be logged. Leaves out the statement and the parameters of a failed SQL
 * query, because they can contain personal data.
 */
function describeError(error: unknown, depth = 0): DescribedError {
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

// Some libraries throw or log objects such as { message, details: [error] } that are not errors. Only the message of
// such an object and the errors inside it are logged.
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
  // Drizzle (the SQL library) puts the SQL statement and its parameters into the error message. That message is not
  // logged, because the parameters can be personal data.
  if (text.startsWith('Failed query:')) return 'A query failed.';
  return text.length > maxMessageLength ? `${text.slice(0, maxMessageLength)}…` : text;
}

/**
 * Returns the stack frames of an error. Leaves out the first lines of the stack, because they repeat the error message.
 */
function framesOf(error: Error): string | null {
  const frames = (error.stack ?? '').split('\n').filter((line) => /^ {4}at /.test(line));
  return frames.length > 0 ? frames.join('\n') : null;
}

function textOf(error: Error, name: string): string | null {
  const value = (error as unknown as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : null;
}
