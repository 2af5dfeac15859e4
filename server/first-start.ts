import type { Sql } from 'postgres';
import { createOwnedWorkspace } from '../db/accounts/members.ts';
import { addOperator } from '../db/accounts/operators.ts';
import { anyWorkspace } from '../db/accounts/workspaces.ts';
import { inTransaction } from '../db/transaction.ts';
import { firstOperatorEmail } from '../pipeline/notify/mail.ts';

/** Number of free credits that a new account gets. */
export const starterCredits = 100;

interface FirstKeys {
  live_key: string;
  test_key: string;
}

/**
 * Creates the first workspace with the highest tier, and a user for the operator, who runs the server. Returns null
 * when the server already has a workspace. If several processes start at the same moment, only one of them creates the
 * workspace.
 */
export async function firstWorkspace(sql: Sql, now: Date): Promise<FirstKeys | null> {
  return inTransaction(sql, async (tx) => {
    if (await anyWorkspace(tx)) return null;
    const workspace = { name: 'First workspace', credits: starterCredits, tier: 'ultra' as const };
    const created = await createOwnedWorkspace(tx, workspace, { name: 'Operator', email: firstOperatorEmail }, now);
    await addOperator(tx, firstOperatorEmail);
    return created;
  });
}

/**
 * Returns the text that the terminal shows when the service is ready. At the first start, the text contains the API
 * keys and a sign-in link that works once.
 */
export function welcome(baseUrl: string, first: (FirstKeys & { sign_in_link: string }) | null): string {
  const lines = [
    '',
    `  Tidemark is running at ${baseUrl}`,
    '',
    `  Docs             ${baseUrl}/docs`,
    `  Spreadsheets     ${baseUrl}/addon`,
  ];
  if (first) {
    lines.push(
      `  Dashboard        ${first.sign_in_link}`,
      '                   This link signs you in. It works once, within a day.',
      `  Development key  ${first.test_key}   fixed samples, free`,
      `  Production key   ${first.live_key}   live data, ${starterCredits} starter credits`,
      '                   Both keys are shown only now.',
      '',
      '  Try it:',
      `  curl -H "x-api-key: ${first.test_key}" "${baseUrl}/v1/photo/profile?handle=tidemark.sample"`,
    );
  } else {
    lines.push(
      `  Dashboard        ${baseUrl}/dashboard`,
      '  Keys             npm run --silent operator -- workspace list',
    );
  }
  return `${lines.join('\n')}\n`;
}
