import type { Sql } from 'postgres';
import { forgetAttempts, throttle } from '../../../../db/accounts/throttle.ts';
import { type FormVisit, type Page, redirect, text } from '../section.ts';

/**
 * Name of the form field with the id of the page that contained the form. Each time a page is opened, it gets a new id.
 */
export const pageIdField = 'page_id';
/** Seconds during which the same form from the same page is handled only once. */
const onceSeconds = 24 * 3600;

/** Name of the message on the page to which a repeated form leads. */
const repeatedNotice = 'sent-twice';
export const onceNotices: Readonly<Record<string, string>> = {
  [repeatedNotice]:
    'This form was sent twice, and only the first one was handled. If you did not see its result, look for it on this page.',
};

interface Once {
  sql: Sql;
  now: Date;
  /** Path of the page on which the user finds what the form made. It can have `:name` parts. */
  page: string;
}

/**
 * Handles a form unless the same form with the same values was already sent from the same page, as by a double click or
 * by a reload of the answer. The database decides this in one statement. A form that was refused can be sent again.
 */
export async function handleOnce(
  visit: FormVisit,
  { sql, now, page }: Once,
  handle: (visit: FormVisit) => Promise<Page | Response>,
): Promise<Page | Response> {
  const { form, url, params, visitor } = visit;
  if (text(form, pageIdField) === '') return handle(visit);
  const name = `form ${JSON.stringify([visitor.workspace_id, visitor.user_id, url.pathname, ...form])}`;
  if ((await throttle(sql, name, { limit: 1, window_seconds: onceSeconds }, now)) !== null) {
    return redirect(
      page.replace(/:(\w+)/g, (_, part) => params[part] ?? ''),
      repeatedNotice,
    );
  }
  let isDone = false;
  try {
    const result = await handle(visit);
    isDone = (result.status ?? 200) < 400;
    return result;
  } finally {
    if (!isDone) await forgetAttempts(sql, name);
  }
}
