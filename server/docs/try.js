// Sends a form of the reference with the API key that was typed into this tab, and shows the response. Without JavaScript, the forms send a
// normal GET request.
const key = document.querySelector('#key');
key.value = sessionStorage.getItem('key') ?? '';
key.addEventListener('input', () => sessionStorage.setItem('key', key.value.trim()));

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
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const answer = form.querySelector('.answer');
    const query = new URLSearchParams([...new FormData(form)].filter(([, value]) => value !== ''));
    const address = query.size > 0 ? `${form.getAttribute('action')}?${query}` : form.getAttribute('action');
    answer.hidden = false;
    answer.textContent = 'Sending…';
    try {
      const response = await fetch(address, { headers: key.value ? { 'x-api-key': key.value.trim() } : {} });
      const text = await response.text();
      const headers = shown
        .filter((name) => response.headers.has(name))
        .map((name) => `${name}: ${response.headers.get(name)}`);
      answer.textContent = [`GET ${address}`, `${response.status}`, ...headers, '', pretty(text)].join('\n');
    } catch {
      answer.textContent = 'No answer from the server: check that it is running and that you are online.';
    }
  });
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
