import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'postgresql',
  schema: [
    './db/schema/core.ts',
    './db/schema/health.ts',
    './db/schema/field-counts.ts',
    './db/schema/tracking.ts',
    './db/schema/campaigns.ts',
    './db/schema/media.ts',
    './db/schema/deliveries.ts',
    './db/schema/sheet-imports.ts',
    './db/schema/sign-in.ts',
    './db/schema/oauth.ts',
    './db/schema/accounts.ts',
    './db/schema/alerts.ts',
  ],
  out: './db/migrations',
});
