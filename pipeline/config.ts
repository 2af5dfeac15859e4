import { readSourcesConfig, refuseUnknownSources, type SourcesConfig } from './collect/sources.ts';
import { keylessSources } from './keyless-sources.ts';

/** Error that names an invalid setting and its allowed values in one sentence. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** The settings that every process of the service reads from its environment. */
export interface PipelineConfig {
  /** URL of the PostgreSQL database. Null starts the embedded PostgreSQL, which stores its data in `data_dir`. */
  database_url: string | null;
  data_dir: string;
  /** Path of a manifest of recorded answers. With it, the service uses these answers instead of the network. Null uses the network. */
  upstream_replay: string | null;
  /** The URL with which all links to this service begin; null when BASE_URL is not set. */
  base_url: string | null;
  /** Path of the key file of a Google service account; null when it is not set. */
  google_service_account: string | null;
  /** URL of a mail server; null writes each email to the log instead. */
  smtp_url: string | null;
  /** The sender address of all emails. */
  mail_from: string;
  sources: SourcesConfig;
}

/** Reads the settings from the environment. Throws a ConfigError that names the invalid variable and its allowed values. */
export function readPipelineConfig(env: NodeJS.ProcessEnv): PipelineConfig {
  const upstreamReplay = env.UPSTREAM_REPLAY || null;
  if (upstreamReplay !== null && env.NODE_ENV === 'production') {
    throw new ConfigError(
      'UPSTREAM_REPLAY replaces the network with recordings, which NODE_ENV=production does not allow: unset one of them.',
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
    refuseUnknownSources(env, keylessSources);
    return readSourcesConfig(env);
  } catch (error) {
    throw new ConfigError((error as Error).message, { cause: error });
  }
}

function smtpUrlOf(text: string | undefined): string | null {
  if (!text) return null;
  // The URL contains a password, so the error message must not repeat it.
  if (/^smtps?:$/.test(URL.parse(text)?.protocol ?? '')) return text;
  throw new ConfigError('SMTP_URL must be the URL of a mail server, such as smtps://user:password@mail.example:465.');
}
