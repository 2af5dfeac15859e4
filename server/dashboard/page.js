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

/** Forms that cannot be undone ask once more. */
for (const form of document.querySelectorAll('form[data-confirm]')) {
  form.addEventListener('submit', (event) => {
    if (!window.confirm(form.dataset.confirm)) event.preventDefault();
  });
}

/** A part with `data-live="/path"` is fetched again while it says so, and stops when the answer has no such part. */
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
        part.replaceWith(next);
        if (next.dataset.live) follow(next);
      } catch {
        follow(part);
      }
    },
    Number(part.dataset.every ?? 2000),
  );
}
