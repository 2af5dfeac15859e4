import { expect } from 'vitest';
import { addDataLink, type NewDataLink } from '../../../db/deliveries/data-links.ts';
import type { DashboardSetup, Member } from '../../dashboard/dashboard-server.ts';

/** Creates a data link of a member, and returns its id and secret. */
export async function makeLink(
  setup: DashboardSetup,
  { workspace_id }: Pick<Member, 'workspace_id'>,
  link: Pick<NewDataLink, 'content'> & Partial<NewDataLink>,
): Promise<{ link_id: string; token: string }> {
  const whole = { label: 'Weekly sheet', refresh: null, expires_at: null, ...link };
  const added = await addDataLink(setup.db.sql, workspace_id, whole, setup.clock.now);
  return added.token === null ? expect.fail(`no link was made: ${added.reason}`) : added;
}

/** Requests a data link as a spreadsheet does, without a session or an API key. */
export function readLink(
  setup: DashboardSetup,
  token: string,
  ending = 'csv',
  init: RequestInit = {},
): Promise<Response> {
  return fetch(`${setup.base_url}/links/${token}.${ending}`, { redirect: 'manual', ...init });
}

/** Returns the lines of a CSV answer, without the empty line at the end. */
export async function linesOf(answer: Response): Promise<string[]> {
  return (await answer.text()).trimEnd().split('\r\n');
}
