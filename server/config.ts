import { ConfigError, type PipelineConfig, readPipelineConfig } from '../pipeline/config.ts';
import type { PaymentsConfig } from './payments/payments.ts';

export interface Config extends PipelineConfig {
  port: number;
  host: string;
  base_url: string;
  /** Whether this process also works the jobs; `off` leaves them to `npm run pipeline`. */
  pipeline: 'embedded' | 'off';
  /** Null: there is no /metrics. */
  metrics_token: string | null;
  /** Null: one is made once and kept in the database. */
  session_secret: string | null;
  /** Null: credit packs are granted by the operator. */
  payments: PaymentsConfig | null;
}

/** Reads the environment (contract, section 7); throws ConfigError naming the variable and what it takes. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const port = portOf(env.PORT || '8787');
  const host = env.HOST || '127.0.0.1';
  const shared = readPipelineConfig(env);
  const baseUrl = shared.base_url ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const metricsToken = env.METRICS_TOKEN || null;
  const sessionSecret = sessionSecretOf(env.SESSION_SECRET);
  const pipeline = pipelineOf(env.PIPELINE || 'embedded');
  return {
    ...shared,
    port,
    host,
    base_url: baseUrl,
    pipeline,
    metrics_token: metricsToken,
    session_secret: sessionSecret,
    payments: paymentsOf(env),
  };
}

function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new ConfigError(`PORT must be a number from 0 to 65535, not "${text}".`);
  return port;
}

function pipelineOf(text: string): Config['pipeline'] {
  if (text === 'embedded' || text === 'off') return text;
  throw new ConfigError(`PIPELINE must be embedded or off, not "${text}".`);
}

const leastSecretCharacters = 32;

function sessionSecretOf(text: string | undefined): string | null {
  if (!text) return null;
  if (text.length >= leastSecretCharacters) return text;
  throw new ConfigError(
    `SESSION_SECRET must have at least ${leastSecretCharacters} characters: make one with openssl rand -hex 32.`,
  );
}

function paymentsOf({
  STRIPE_SECRET_KEY: secretKey,
  STRIPE_WEBHOOK_SECRET: webhookSecret,
}: NodeJS.ProcessEnv): PaymentsConfig | null {
  if (!secretKey && !webhookSecret) return null;
  if (secretKey && webhookSecret) return { secret_key: secretKey, webhook_secret: webhookSecret };
  throw new ConfigError('STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET belong together: set both, or neither.');
}
