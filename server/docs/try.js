// Sends a form of the reference with the API key that was typed into this tab, and shows the response. Without
// JavaScript, the forms send a normal GET request.
const key = document.querySelector('#key');
key.value = sessionStorage.getItem('key') ?? '';
key.addEventListener('input', () => sessionStorage.setItem('key', key.value.trim()));
// The script page.js writes and removes this item when the user signs out in any tab.
addEventListener('storage', (event) => {
  if (event.key !== 'signed-out') return;
  key.value = '';
  sessionStorage.removeItem('key');
});

const shown = [
  'x-request-id',
  'x-data-mode',
  'x-cache',
  'x-credits-charged',
  'x-credits-remaining',
  'ratelimit',
  'retry-after',
];

for (const form of document.querySelectorAll('form.try')) {
  const answer = form.querySelector('.answer');
  /** The request in progress, or null. Answers to earlier requests are not shown. */
  let current = null;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const query = new URLSearchParams([...new FormData(form)].filter(([, value]) => value !== ''));
    const address = query.size > 0 ? `${form.getAttribute('action')}?${query}` : form.getAttribute('action');
    const apiKey = key.value.trim();
    // A second click must not send the same request again, because its answer can cost credits.
    if (current?.address === address && current.apiKey === apiKey) return;
    current?.controller.abort();
    const own = { address, apiKey, controller: new AbortController() };
    current = own;
    answer.hidden = false;
    answer.setAttribute('aria-busy', 'true');
    answer.textContent = 'Sending…';
    const text = await send(own);
    if (current !== own) return;
    current = null;
    answer.textContent = text;
    answer.setAttribute('aria-busy', 'false');
  });
}

/** Sends a request and returns its answer as text, with the HTTP status and the most useful headers. */
async function send({ address, apiKey, controller }) {
  try {
    const response = await fetch(address, {
      headers: apiKey ? { 'x-api-key': apiKey } : {},
      signal: controller.signal,
    });
    const text = await response.text();
    const headers = shown
      .filter((name) => response.headers.has(name))
      .map((name) => `${name}: ${response.headers.get(name)}`);
    return [`GET ${address}`, `${response.status}`, ...headers, '', pretty(text)].join('\n');
  } catch {
    return 'No answer from the server: check that it is running and that you are online.';
  }
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
