import type { Sql } from 'postgres';
import { anyWorkspace, createWorkspace, inTransaction } from '../db/workspaces.ts';

/** Starter credits of a new account. */
export const starter_credits = 100;

export interface FirstKeys {
  live_key: string;
  test_key: string;
}

/** Makes the first workspace when there is none yet; null on every later start, however many processes start at once. */
export async function firstWorkspace(sql: Sql): Promise<FirstKeys | null> {
  return inTransaction(sql, async (tx) => {
    if (await anyWorkspace(tx)) return null;
    return createWorkspace(tx, { name: 'First workspace', credits: starter_credits });
  });
}

/** What a person reads in the terminal once the service answers. */
export function welcome(base_url: string, keys: FirstKeys | null): string {
  const lines = ['', `  Tidemark is running at ${base_url}`, '', `  Docs             ${base_url}/docs`];
  if (keys) {
    lines.push(
      `  Development key  ${keys.test_key}   fixed samples, free`,
      `  Production key   ${keys.live_key}   live data, ${starter_credits} starter credits`,
      '                   Both are shown only this once.',
      '',
      '  Try it:',
      `  curl -H "x-api-key: ${keys.test_key}" "${base_url}/v1/photo/profile?handle=tidemark.sample"`,
    );
  } else {
    lines.push('  Keys             npm run --silent operator -- workspace list');
  }
  return `${lines.join('\n')}\n`;
}
