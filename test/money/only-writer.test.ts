import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const sources = ['db', 'pipeline', 'server', 'scripts'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.m?[jt]s$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ file: relative(root, path), text: readFileSync(path, 'utf8') })),
);

function matches(pattern: RegExp): string[] {
  return sources.flatMap(({ file, text }) =>
    [...text.matchAll(pattern)].map(([found]) => `${file}: ${found.replace(/\s+/g, ' ')}`),
  );
}

test('only db/money/movements.ts writes balances and ledger entries, except for creating and deleting a workspace', () => {
  const writes =
    /\b(?:insert\s+into|update|delete\s+from|merge\s+into|truncate(?:\s+table)?|copy)\s+(?:only\s+)?"?(?:credit_balances|ledger_entries)\b/gi;
  expect(matches(writes)).toEqual([
    'db/accounts/workspaces.ts: insert into credit_balances',
    'db/money/movements.ts: update credit_balances',
    'db/money/movements.ts: insert into ledger_entries',
    'db/money/movements.ts: update credit_balances',
    'db/money/movements.ts: insert into ledger_entries',
    'db/workspace-data/deletion.ts: delete from credit_balances',
  ]);
});

test('the query builder writes no balance and no ledger entry: only the schema names these tables', () => {
  const files = sources.filter(({ text }) => /\b(?:creditBalances|ledgerEntries)\b/.test(text)).map(({ file }) => file);
  expect(files).toEqual(['db/schema/core.ts']);
});

test('only db/money/movements.ts counts credits against the monthly caps, except for the additional cap of a sheet import', () => {
  const files = new Set(matches(/\bcap_used\s*=/g).map((match) => match.split(':')[0]));
  expect([...files].sort()).toEqual(['db/deliveries/batch-rows.ts', 'db/money/movements.ts']);
  const ofImports = matches(/update sheet_imports i set cap_month = [^,]+, cap_used =/g);
  expect(ofImports).toHaveLength(1);
  expect(matches(/\bcap_used\s*=/g).filter((match) => match.startsWith('db/deliveries/'))).toHaveLength(1);
});
