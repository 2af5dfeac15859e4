/**
 * Key in localStorage of the last requests of the playground. This script stores and shows the requests. It deletes
 * them when the sign-in page opens, as after a sign-out.
 */
const historyKey = 'playground';
const maxRequests = 20;

/** Returns the stored playground requests by workspace. Ignores values that this script did not write. */
function storedRequests() {
  try {
    const stored = Object.entries(JSON.parse(localStorage.getItem(historyKey) ?? '{}') ?? {});
    return Object.fromEntries(stored.map(([workspace, entries]) => [workspace, ownRequests(entries)]));
  } catch {
    // The browser does not allow storage, or the stored text is invalid JSON.
    return {};
  }
}

function ownRequests(entries) {
  if (!Array.isArray(entries)) return [];
  return entries.filter((entry) => typeof entry?.path === 'string' && entry.path.startsWith('/dashboard/playground?'));
}

function storeRequests(requests) {
  try {
    if (Object.keys(requests).length === 0) localStorage.removeItem(historyKey);
    else localStorage.setItem(historyKey, JSON.stringify(requests));
  } catch {
    // When the browser does not allow storage, the page has no list of last requests.
  }
}

if (location.pathname === '/sign-in') storeRequests({});

for (const section of document.querySelectorAll('[data-history]')) {
  const workspace = section.dataset.history;
  const sent = document.querySelector('[data-sent]');
  const before = storedRequests()[workspace] ?? [];
  const now = new Date().toISOString();
  const entries = sent ? [{ ...JSON.parse(sent.dataset.sent), at: now }, ...before].slice(0, maxRequests) : before;
  if (sent) storeRequests({ ...storedRequests(), [workspace]: entries });
  section.querySelector('ol').replaceChildren(...entries.map(historyLine));
  section.hidden = entries.length === 0;
  section.querySelector('button').addEventListener('click', () => {
    const { [workspace]: _, ...others } = storedRequests();
    storeRequests(others);
    section.hidden = true;
  });
}

/** Returns the cost of a request in words. `credits` is null when the cost is unknown. */
function costOf(credits) {
  if (credits === null) return 'cost not known';
  return credits === 0 ? 'free' : `${credits} ${credits === 1 ? 'credit' : 'credits'}`;
}

/** Formats a time as on all pages, such as "20 Nov 2026, 10:00 UTC". */
function timeOf(at) {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  const moment = new Date(at);
  return Number.isNaN(moment.getTime()) ? '' : `${format.format(moment)} UTC`;
}

function historyLine({ path, request, status, credits, milliseconds, at }) {
  const line = document.createElement('li');
  const link = document.createElement('a');
  link.href = path;
  link.textContent = request;
  const facts = document.createElement('span');
  facts.className = 'hint';
  facts.textContent = `${status} · ${costOf(credits)} · ${milliseconds} ms · ${timeOf(at)}`;
  line.append(link, facts);
  return line;
}
