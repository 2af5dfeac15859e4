import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'postgresql',
  schema: [
    './db/schema.ts',
    './db/tracking-schema.ts',
    './db/delivery-schema.ts',
    './db/auth-schema.ts',
    './db/account-schema.ts',
  ],
  out: './db/migrations',
});
