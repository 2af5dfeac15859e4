import type { Sql } from 'postgres';
import { forgetAttempts, throttle } from '../../../../db/accounts/throttle.ts';
import { daySeconds } from '../../../../db/durations.ts';
import { type FormVisit, type Page, redirect, text } from '../section.ts';

/**
 * Name of the form field with the id of the page that contained the form. A page gets a new id each time it is opened.
 */
export const pageIdField = 'page_id';
/** Seconds during which the same form from the same page is handled only once. */
const onceSeconds = daySeconds;

/** Name of the message on the page to which a repeated form leads. */
const repeatedNotice = 'sent-twice';
export const onceNotices: Readonly<Record<string, string>> = {
  [repeatedNotice]:
    'This form was sent twice, and only the first one was handled. If you did not see its result, look for it on this page.',
};

interface OnceDeps {
  sql: Sql;
  now: Date;
}

interface Once extends OnceDeps {
  /** Path of the page on which the user finds what the form created. The path can have `:name` parts. */
  page: string;
}

interface Work<T> {
  handle(): Promise<T>;
  /** Returns false for a result after which the same form can be sent again, such as a refusal. */
  isDone(result: T): boolean;
}

/**
 * Handles a form, or returns null when a form with the same values was already handled from the same page in the last
 * 24 hours. A single SQL statement decides this, so two requests at the same time cannot both be handled. When `pageId`
 * is empty, the form is always handled.
 */
export async function runOnce<T>(
  pageId: string,
  values: readonly unknown[],
  { sql, now }: OnceDeps,
  { handle, isDone }: Work<T>,
): Promise<T | null> {
  if (pageId === '') return handle();
  const name = `form ${JSON.stringify([pageId, ...values])}`;
  if ((await throttle(sql, name, { limit: 1, window_seconds: onceSeconds }, now)) !== null) return null;
  const release = () => forgetAttempts(sql, name);
  let result: T;
  try {
    result = await handle();
  } catch (error) {
    // When the database is unavailable, `release` fails, too. Its error is ignored, because the first error says more.
    await release().catch(() => undefined);
    throw error;
  }
  if (!isDone(result)) await release();
  return result;
}

/**
 * Handles a form, or redirects to `page` when the same form with the same values was already sent from the same page,
 * for example by a double click or by reloading the answer. A form that was refused can be sent again.
 */
export async function handleOnce(
  visit: FormVisit,
  { sql, now, page }: Once,
  handle: (visit: FormVisit) => Promise<Page | Response>,
): Promise<Page | Response> {
  const { form, url, params, visitor } = visit;
  // Leaves the workspace out of the values, because a form can change the current workspace, for example by creating
  // one. The page id is enough, because each page was opened for one workspace.
  const values = [visitor.user_id, url.pathname, ...form];
  const result = await runOnce<Page | Response>(
    text(form, pageIdField),
    values,
    { sql, now },
    { handle: () => handle(visit), isDone: ({ status = 200 }) => status < 400 },
  );
  if (result) return result;
  return redirect(
    page.replace(/:(\w+)/g, (_, part) => params[part] ?? ''),
    repeatedNotice,
  );
}
