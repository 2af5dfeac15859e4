interface Proof {
  /** The promise, in one sentence. docs/reliability.md explains it. */
  promise: string;
  /** The test files that prove it. `npm test` runs them in a shorter form. */
  tests: readonly string[];
}

/** The promises about reliability. Anyone can check one with `npm run proof -- NAME`. */
export const proofs = {
  'money-under-kills': {
    promise:
      'Killing servers and the database (kill -9) loses no ledger entry, leaves no wrong balance and charges nothing twice.',
    tests: [
      'test/money',
      'test/jobs/database-killed.test.ts',
      'test/jobs/interrupted.test.ts',
      'test/jobs/dead-process.test.ts',
    ],
  },
  'sources-failing': {
    promise: 'A broken response of a platform costs nothing, and its error names the true cause.',
    tests: ['test/proof/sources-failing.test.ts', 'test/pipeline/collect'],
  },
  'database-faults': {
    promise:
      'While the database is unavailable, full or read-only, a new request gets 503 within two seconds and costs nothing.',
    tests: ['test/faults/database-away.test.ts', 'test/faults/database-lost-during-start.test.ts'],
  },
  'noisy-neighbour': {
    promise: 'A locked or very large workspace delays no other workspace by more than a second.',
    tests: ['test/faults/locked-workspace.test.ts'],
  },
  shutdown: {
    promise: 'A server that is stopped under load answers every request and resets no connection.',
    tests: ['test/faults/stop-under-load.test.ts', 'test/start/first-start.test.ts'],
  },
  fuzz: {
    promise: 'No input to the API, pages, forms, OAuth, payments and MCP causes a 500 or a wrong charge.',
    tests: ['test/proof/fuzz.test.ts', 'test/server/data/properties.test.ts'],
  },
  tenants: {
    promise: 'No workspace can read or change data of another workspace.',
    tests: ['test/dashboard/account/security.test.ts', 'test/proof/tenants.test.ts'],
  },
  secrets: {
    promise: 'No log line about a request or an error contains a key, a token, a password or the value of a parameter.',
    tests: ['test/dashboard/account/log-secrets.test.ts', 'test/pipeline/log.test.ts', 'test/start/logs.test.ts'],
  },
  upgrade: {
    promise:
      'The first start of the current version upgrades a database of the oldest version without a wrong balance.',
    tests: ['test/proof/upgrade.test.ts', 'test/db/migrate.test.ts'],
  },
  month: {
    promise: 'A month of scheduled checks, reports and charges is exact, even when no process runs for days.',
    tests: ['test/jobs/simulated-month.test.ts', 'test/jobs/processes.test.ts'],
  },
  alerts: {
    promise: 'No alert is lost or raised twice, even when the process is killed.',
    tests: ['test/jobs/killed-alerts.test.ts'],
  },
} as const satisfies Record<string, Proof>;
