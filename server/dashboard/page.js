// What pages do beyond their forms. Everything works without it.

/** Buttons that copy the text or value of the element they name. */
for (const button of document.querySelectorAll('[data-copy]')) {
  button.addEventListener('click', async () => {
    const from = document.getElementById(button.dataset.copy);
    await navigator.clipboard.writeText(from.value ?? from.textContent);
    const before = button.textContent;
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = before;
    }, 2000);
  });
}

/** Buttons that open the browser's own print dialog: there only where scripts run. */
for (const button of document.querySelectorAll('[data-print]')) {
  button.hidden = false;
  button.addEventListener('click', () => window.print());
}

/** Forms that cannot be undone ask once more. */
document.addEventListener('submit', (event) => {
  const question = event.target.dataset.confirm;
  if (question && !window.confirm(question)) event.preventDefault();
});

/**
 * A part with `data-live="/path"` is fetched again while it says so, and stops when the answer has no such part. Parts that
 * `data-also` names come from the same answer, and are left alone while they are as they were.
 */
for (const part of document.querySelectorAll('[data-live]')) follow(part);

function follow(part) {
  setTimeout(
    async () => {
      try {
        const answer = await fetch(part.dataset.live, { headers: { accept: 'text/html' } });
        if (!answer.ok || answer.redirected) return;
        const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
        const next = page.getElementById(part.id);
        if (!next) return;
        for (const id of (part.dataset.also ?? '').split(' ')) renew(id, page);
        part.replaceWith(next);
        if (next.dataset.live) follow(next);
      } catch {
        follow(part);
      }
    },
    Number(part.dataset.every ?? 2000),
  );
}

function renew(id, page) {
  const [old, next] = [document.getElementById(id), page.getElementById(id)];
  if (old && next && !old.isEqualNode(next)) old.replaceWith(next);
}
