import { readSourcesConfig, type SourcesConfig } from './collect/sources.ts';

/** A setting that cannot be used, told in one sentence. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** What every process of the service reads from its environment (contract, section 7). */
export interface PipelineConfig {
  /** Null: the embedded PostgreSQL in `data_dir`. */
  database_url: string | null;
  data_dir: string;
  /** A manifest of recorded upstream answers; then the network is never used. */
  upstream_replay: string | null;
  /** What links begin with; null where the process has no address of its own and none is set. */
  base_url: string | null;
  /** Path of a Google service account's credentials. */
  google_service_account: string | null;
  /** Address of a mail server; null: mails stand in the log. */
  smtp_url: string | null;
  /** Who mails come from. */
  mail_from: string;
  sources: SourcesConfig;
}

/** Reads the environment; throws ConfigError naming the variable and what it takes. */
export function readPipelineConfig(env: NodeJS.ProcessEnv): PipelineConfig {
  const upstreamReplay = env.UPSTREAM_REPLAY || null;
  if (upstreamReplay !== null && env.NODE_ENV === 'production') {
    throw new ConfigError(
      'UPSTREAM_REPLAY answers from recordings and is refused when NODE_ENV is production: unset one of them.',
    );
  }
  return {
    database_url: env.DATABASE_URL || null,
    data_dir: env.DATA_DIR || './data',
    upstream_replay: upstreamReplay,
    base_url: baseUrlOf(env.BASE_URL),
    google_service_account: env.GOOGLE_SERVICE_ACCOUNT || null,
    smtp_url: smtpUrlOf(env.SMTP_URL),
    mail_from: env.MAIL_FROM || 'Tidemark <tidemark@localhost>',
    sources: sourcesOf(env),
  };
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
    return readSourcesConfig(env);
  } catch (error) {
    throw new ConfigError((error as Error).message, { cause: error });
  }
}

function smtpUrlOf(text: string | undefined): string | null {
  if (!text) return null;
  // The address holds a password: it is not repeated.
  if (/^smtps?:$/.test(URL.parse(text)?.protocol ?? '')) return text;
  throw new ConfigError(
    'SMTP_URL must be the address of a mail server, such as smtps://user:password@mail.example:465.',
  );
}
