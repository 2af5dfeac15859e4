import { ConfigError, maxPort, type PipelineConfig, pipelineSettings, SettingsReader } from '../pipeline/config.ts';
import type { Operator } from './dashboard/legal.ts';
import { readTrustedProxies, type TrustedProxies } from './http/client-address.ts';
import type { PaymentsConfig } from './payments/payments.ts';

export interface Config extends PipelineConfig {
  port: number;
  host: string;
  base_url: string;
  /**
   * `embedded`: this process also runs the background jobs. `off`: a separate process runs them (`npm run pipeline`).
   */
  pipeline: 'embedded' | 'off';
  /** Seconds that the server still accepts new connections after SIGTERM. */
  stop_delay_seconds: number;
  /** Bearer token that a client must send for `GET /metrics`. When the token is null, the server has no such route. */
  metrics_token: string | null;
  /**
   * URL (mailto: or https:) for reports of security problems. When the URL is null, the server has no
   * /.well-known/security.txt.
   */
  security_contact: string | null;
  /** Name and email of the person or company that runs the server, as shown on the pages for privacy and terms. */
  operator: Operator;
  /**
   * Proxies in front of the server that are trusted to set X-Forwarded-For: the number of proxies, or their networks.
   * The value 0 means that no proxy is used.
   */
  trust_proxy: TrustedProxies;
  /**
   * Secret that signs session cookies. Null: the server generates a secret at its first start and stores it in the
   * database.
   */
  session_secret: string | null;
  /** Secrets of the Stripe account. Null: online payment is off, and the operator adds credits by hand. */
  payments: PaymentsConfig | null;
}

/** Reads the environment variables. Throws ConfigError with one line for each wrong variable and its allowed values. */
export function readConfig(variables: NodeJS.ProcessEnv): Config {
  const reader = new SettingsReader(variables);
  const { env } = reader;
  const port = reader.read(() => readPort(env.PORT || '8787'), 0);
  const host = env.HOST || '127.0.0.1';
  const shared = pipelineSettings(reader);
  const config = {
    ...shared,
    port,
    host,
    base_url: shared.base_url ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    pipeline: reader.read(() => readPipelineMode(env.PIPELINE || 'embedded'), 'embedded'),
    stop_delay_seconds: reader.read(() => readStopDelay(env.STOP_DELAY_SECONDS || '2'), 0),
    metrics_token: env.METRICS_TOKEN || null,
    security_contact: reader.read(() => readContact(env.SECURITY_CONTACT), null),
    operator: reader.read(() => readOperator(env), { name: null, email: null }),
    trust_proxy: reader.read(() => readTrustProxy(env.TRUST_PROXY || '0'), 0),
    session_secret: reader.read(() => readSessionSecret(env.SESSION_SECRET), null),
    payments: reader.read(() => readPayments(env), null),
  };
  reader.read(() => requireOtherPort(config), undefined);
  reader.finish();
  return config;
}

function requireOtherPort({ port, metrics_port }: Pick<Config, 'port' | 'metrics_port'>): void {
  if (metrics_port?.port === port)
    throw new ConfigError('METRICS_PORT and PORT are equal: set METRICS_PORT to another port.');
}

function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > maxPort)
    throw new ConfigError(`PORT must be a number from 0 to ${maxPort}, not "${text}".`);
  return port;
}

function readTrustProxy(text: string): TrustedProxies {
  const trusted = readTrustedProxies(text);
  if (trusted !== null) return trusted;
  throw new ConfigError(
    `TRUST_PROXY must be the number of proxies in front of this server, 0 to 10, or their networks, such as 10.0.0.0/8,fd00::/8, not "${text}".`,
  );
}

function readContact(text: string | undefined): string | null {
  if (!text) return null;
  if (/^(?:mailto:[^\s@]+@|https:\/\/)[^\s@]+$/.test(text)) return text;
  throw new ConfigError(`SECURITY_CONTACT must begin with mailto: or https:, not "${text}".`);
}

function readOperator({ OPERATOR_NAME: name, CONTACT_EMAIL: email }: NodeJS.ProcessEnv): Operator {
  if (email && !/^[^\s@]+@[^\s@]+$/.test(email))
    throw new ConfigError(`CONTACT_EMAIL must be an email address, not "${email}".`);
  return { name: name || null, email: email || null };
}

function readPipelineMode(text: string): Config['pipeline'] {
  if (text === 'embedded' || text === 'off') return text;
  throw new ConfigError(`PIPELINE must be embedded or off, not "${text}".`);
}

const maxStopDelay = 60;

function readStopDelay(text: string): number {
  const seconds = Number(text);
  if (/^\d{1,2}$/.test(text) && seconds <= maxStopDelay) return seconds;
  throw new ConfigError(`STOP_DELAY_SECONDS must be a number of seconds from 0 to ${maxStopDelay}, not "${text}".`);
}

const minSecretCharacters = 32;

function readSessionSecret(text: string | undefined): string | null {
  if (!text) return null;
  if (text.length >= minSecretCharacters) return text;
  throw new ConfigError(
    `SESSION_SECRET must have at least ${minSecretCharacters} characters: make one with openssl rand -hex 32.`,
  );
}

function readPayments({
  STRIPE_SECRET_KEY: secretKey,
  STRIPE_WEBHOOK_SECRET: webhookSecret,
}: NodeJS.ProcessEnv): PaymentsConfig | null {
  if (!secretKey && !webhookSecret) return null;
  if (secretKey && webhookSecret) return { secret_key: secretKey, webhook_secret: webhookSecret };
  throw new ConfigError('STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET belong together: set both, or neither.');
}
