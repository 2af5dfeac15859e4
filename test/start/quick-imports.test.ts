import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../harness/service-process.ts';

const quickImports = join(import.meta.dirname, '../../pipeline/quick-imports.mjs');

/**
 * Program that loads the modules of the server and the operator's commands. It prints the number of quick imports, and
 * those imports that Node resolves differently.
 */
const program = `
  import { registerHooks } from 'node:module';
  import { quickResolve } from ${JSON.stringify(quickImports)};
  let quickImports = 0;
  const different = [];
  registerHooks({
    resolve(specifier, context, next) {
      const { url, format } = next(specifier, context);
      let isQuick = true;
      const quick = quickResolve(specifier, context, () => {
        isQuick = false;
        return { url, format };
      });
      if (isQuick) quickImports += 1;
      // Node names no format of a file that CommonJS code loads with require.
      const isSameFormat = quick.format === format || (format === undefined && quick.format === 'commonjs');
      if (quick.url !== url || !isSameFormat) different.push({ specifier, ...context, url, format, quick });
      return { url, format };
    },
  });
  await import('./server/run.ts');
  await import('./server/dashboard/dashboard.ts');
  await import('./scripts/operator/main.ts');
  await (await import('./server/dashboard/account/accounts.ts')).loadAuth();
  await (await import('./pipeline/queue/queue.ts')).loadPgBoss();
  (await import('./db/drizzle-modules.ts')).loadDrizzle();
  console.log(JSON.stringify({ quickImports, different: different.slice(0, 5) }));
  process.exit();`;

test('the quick lookup of modules finds the same files and formats as Node', async () => {
  const words = ['--input-type=module', '--eval', program];
  const { stdout } = await run(process.execPath, words, {}).ended;
  const { quickImports: count, different } = JSON.parse(stdout);
  expect(different).toEqual([]);
  expect(count).toBeGreaterThan(3_000);
});
