import { readFileSync } from 'node:fs';
import { defaultDatabaseTimeoutMs } from '../db/connect.ts';
import type { CanarySettings } from './canary/canary.ts';
import { readSubjects } from './canary/subjects.ts';
import { readSourcesConfig, refuseUnknownSources, type SourcesConfig } from './collect/sources.ts';
import { keylessSources } from './keyless-sources.ts';

/**
 * Error about an invalid environment variable. Its message is one sentence that names the variable and its allowed
 * values.
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** The settings that the API server and the background job process both read from environment variables. */
export interface PipelineConfig {
  /** URL of the PostgreSQL database. Null starts the embedded PostgreSQL, which stores its data in `data_dir`. */
  database_url: string | null;
  data_dir: string;
  /** Maximum milliseconds that an HTTP request waits for an answer of the database. */
  database_timeout_ms: number;
  /**
   * Path of a manifest file that lists recorded answers of platforms (Instagram, ...). If set, the service returns
   * these recordings and does not call the platforms. Null: the service calls the platforms.
   */
  recordings: string | null;
  /**
   * The public URL of this server, such as `https://data.example.com`, with which all links in emails and messages
   * begin. Null when BASE_URL is not set.
   */
  base_url: string | null;
  /**
   * Path of the key file of the Google service account that writes to users' spreadsheets. Null when the operator has
   * not set one.
   */
  google_service_account: string | null;
  /** URL of the SMTP server that sends emails. Null: emails are written to the log and not sent. */
  smtp_url: string | null;
  /** The sender address of all emails. */
  mail_from: string;
  sources: SourcesConfig;
  /**
   * Settings of the canary: a job that requests well-known public profiles and compares the answers with expected
   * values, to notice when a platform changes. Null switches the job off.
   */
  canary: CanarySettings | null;
  /** The port of this process for metrics alone. Null when METRICS_PORT is not set. */
  metrics_port: MetricsPort | null;
}

/** The address at which a process serves only its own metrics, and the token that requests must send. */
export interface MetricsPort {
  port: number;
  host: string;
  token: string;
}

/**
 * Names of the environment variables whose value may be in a file instead: `DATABASE_URL_FILE` is then the path of the
 * file. A line break at the end of the file is ignored.
 */
const secretNames = [
  'DATABASE_URL',
  'SMTP_URL',
  'SESSION_SECRET',
  'METRICS_TOKEN',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'YOUTUBE_API_KEY',
  'INSTAGRAM_GRAPH_TOKEN',
  'META_ADLIBRARY_TOKEN',
  'X_BEARER_TOKEN',
] as const;

/** Reads settings one by one and collects the errors, so that a failed start lists all invalid settings together. */
export class SettingsReader {
  readonly env: NodeJS.ProcessEnv;
  readonly #problems: string[] = [];

  constructor(env: NodeJS.ProcessEnv) {
    const fromFiles = secretNames.map((name) => [name, this.read(() => secretFrom(env, name), undefined)] as const);
    this.env = { ...env, ...Object.fromEntries(fromFiles.filter(([, value]) => value !== undefined)) };
  }

  /**
   * Calls `read` and returns its result. When `read` throws a ConfigError, stores its message for `finish` and returns
   * `instead`.
   */
  read<T>(read: () => T, instead: T): T {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      this.#problems.push(error.message);
      return instead;
    }
  }

  /** Throws a ConfigError with one line for each invalid setting. Does nothing when all settings are valid. */
  finish(): void {
    if (this.#problems.length > 0) throw new ConfigError([...new Set(this.#problems)].join('\n'));
  }
}

function secretFrom(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const file = env[`${name}_FILE`];
  if (!file) return undefined;
  if (env[name]) throw new ConfigError(`${name} and ${name}_FILE are both set: unset one of them.`);
  const secret = readSecret(name, file);
  // Refuses an empty file of a setting such as SESSION_SECRET_FILE. If it counted as a missing setting, the service
  // would start with a different database or secret.
  if (secret === '')
    throw new ConfigError(`${name}_FILE names an empty file: ${file}. Write the value into it, or unset ${name}_FILE.`);
  return secret;
}

function readSecret(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new ConfigError(
      `${name}_FILE names a file that cannot be read (${reason}): ${file}. Correct the path or the permissions.`,
    );
  }
}

/**
 * Reads the settings of the background job process from environment variables. Throws a ConfigError with one line for
 * each invalid variable and its allowed values.
 */
export function readPipelineConfig(env: NodeJS.ProcessEnv): PipelineConfig {
  const reader = new SettingsReader(env);
  const config = pipelineSettings(reader);
  reader.finish();
  return config;
}

/**
 * Reads the settings that the API server and the background job process share. Does not throw for invalid settings:
 * call `reader.finish()` afterwards, which throws all of their errors.
 */
export function pipelineSettings(reader: SettingsReader): PipelineConfig {
  const { env } = reader;
  reader.read(() => requireCollectorUrl(env), undefined);
  return {
    database_url: env.DATABASE_URL || null,
    database_timeout_ms: reader.read(() => databaseTimeoutOf(env), defaultDatabaseTimeoutMs),
    data_dir: env.DATA_DIR || './data',
    recordings: reader.read(() => recordingsOf(env), null),
    base_url: reader.read(() => baseUrlOf(env.BASE_URL), null),
    google_service_account: env.GOOGLE_SERVICE_ACCOUNT || null,
    smtp_url: reader.read(() => smtpUrlOf(env.SMTP_URL), null),
    mail_from: env.MAIL_FROM || 'Tidemark <tidemark@localhost>',
    sources: reader.read(() => sourcesOf(env), readSourcesConfig({})),
    canary: reader.read(() => canaryOf(env), null),
    metrics_port: reader.read(() => metricsPortOf(env), null),
  };
}

/** The highest number of a port. */
export const maxPort = 65_535;

/** Throws a ConfigError when the exporters cannot use the address of the OpenTelemetry collector. */
function requireCollectorUrl({ OTEL_EXPORTER_OTLP_ENDPOINT: text }: NodeJS.ProcessEnv): void {
  if (text && !/^https?:$/.test(URL.parse(text)?.protocol ?? ''))
    throw new ConfigError(`OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https address, not "${text}".`);
}

function metricsPortOf({
  METRICS_PORT: text,
  METRICS_TOKEN: token,
  HOST: host,
}: NodeJS.ProcessEnv): MetricsPort | null {
  if (!text) return null;
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port < 1 || port > maxPort)
    throw new ConfigError(`METRICS_PORT must be a number from 1 to ${maxPort}, not "${text}".`);
  if (!token) throw new ConfigError('METRICS_PORT needs METRICS_TOKEN: set both, or unset METRICS_PORT.');
  return { port, host: host || '127.0.0.1', token };
}

const databaseTimeout = { min: 500, max: 30_000 };

function databaseTimeoutOf({ DATABASE_TIMEOUT_MS: text = '' }: NodeJS.ProcessEnv): number {
  const { min, max } = databaseTimeout;
  const timeoutMs = Number(text || defaultDatabaseTimeoutMs);
  if (!/^\d{0,5}$/.test(text) || timeoutMs < min || timeoutMs > max)
    throw new ConfigError(`DATABASE_TIMEOUT_MS must be a number from ${min} to ${max}, not "${text}".`);
  return timeoutMs;
}

const defaultDailyRequests = 60;
const maxDailyRequests = 10_000;

function canaryOf(env: NodeJS.ProcessEnv): CanarySettings | null {
  const { CANARY_DAILY_REQUESTS: text = String(defaultDailyRequests), CANARY_SUBJECTS: path } = env;
  const daily = Number(text || defaultDailyRequests);
  if (!/^\d{0,5}$/.test(text) || daily > maxDailyRequests)
    throw new ConfigError(`CANARY_DAILY_REQUESTS must be a number from 0 to ${maxDailyRequests}, not "${text}".`);
  // The job is off with recorded answers, because recordings never change. If CANARY_SUBJECTS names a file of requests,
  // the job runs anyway.
  if (daily === 0 || (env.UPSTREAM_REPLAY && !path)) return null;
  try {
    return { subjects: readSubjects(path || null), daily_requests: daily };
  } catch (error) {
    throw new ConfigError(
      `The file in CANARY_SUBJECTS is not valid. ${(error as Error).message} Correct it and start again.`,
      {
        cause: error,
      },
    );
  }
}

function recordingsOf({ UPSTREAM_REPLAY: manifest, NODE_ENV: mode }: NodeJS.ProcessEnv): string | null {
  if (manifest && mode === 'production') {
    throw new ConfigError(
      'UPSTREAM_REPLAY replaces the network with recordings, which NODE_ENV=production does not allow: unset one of them.',
    );
  }
  return manifest || null;
}

function baseUrlOf(text: string | undefined): string | null {
  if (!text) return null;
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new ConfigError(`BASE_URL must be an http or https address, not "${text}".`);
  return text.replace(/\/+$/, '');
}

function sourcesOf(env: NodeJS.ProcessEnv): SourcesConfig {
  try {
    refuseUnknownSources(env, keylessSources);
    return readSourcesConfig(env);
  } catch (error) {
    throw new ConfigError((error as Error).message, { cause: error });
  }
}

function smtpUrlOf(text: string | undefined): string | null {
  if (!text) return null;
  // SMTP_URL contains a password, so this error message must not repeat the URL.
  if (/^smtps?:$/.test(URL.parse(text)?.protocol ?? '')) return text;
  throw new ConfigError('SMTP_URL must be the URL of a mail server, such as smtps://user:password@mail.example:465.');
}
