import { type Failure, failureSentence, helpPage } from './failure-sentence.ts';
import type { PageFailure, PageLink } from './page-replies.ts';

/** Returns the label and address of the server's page that helps with an error. */
export function failureLink(code: string): PageLink {
  const { label, path } = helpPage(code);
  return { label, url: API_ORIGIN + path };
}

/** Returns the answer that tells the sidebar about an error: a sentence for the user and the page that helps. */
function pageFailure(failure: Failure): PageFailure {
  return { ok: false, message: failureSentence(failure), code: failure.code, link: failureLink(failure.code) };
}

/** Returns the answer that tells the sidebar about an error whose sentence depends only on its code. */
export function knownFailure(code: string): PageFailure {
  return pageFailure({ code, message: '' });
}
