// Optional improvements of the pages. Every page also works without this script.

/** Copies the text or value of the element named in `data-copy`. */
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

/** Shows the print buttons, which need this script, and opens the print dialog. */
for (const button of document.querySelectorAll('[data-print]')) {
  button.hidden = false;
  button.addEventListener('click', () => window.print());
}

/** Asks for confirmation before forms with `data-confirm`. */
document.addEventListener('submit', (event) => {
  const question = event.target.dataset.confirm;
  if (question && !window.confirm(question)) event.preventDefault();
});

/** Asks the browser for a passkey when a form with `data-passkey` is sent, and sends the answer in its field `answer`. */
for (const form of document.querySelectorAll('[data-passkey]')) {
  const { answer } = form.elements;
  form.addEventListener('submit', async (event) => {
    if (answer.value) return;
    event.preventDefault();
    try {
      answer.value = JSON.stringify(await askForPasskey(form.dataset.passkey, JSON.parse(form.dataset.options)));
      form.submit();
    } catch {
      form.querySelector('[role="alert"]').hidden = false;
    }
  });
}

async function askForPasskey(action, options) {
  const credential =
    action === 'create'
      ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
      : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) });
  return credential.toJSON();
}

/**
 * Refreshes each element with `data-live="/path"` from the page at that path, until that page no longer has the element. The elements whose
 * ids are in `data-also` are refreshed from the same page when they have changed.
 */
for (const element of document.querySelectorAll('[data-live]')) refresh(element);

function refresh(element) {
  setTimeout(
    async () => {
      try {
        const answer = await fetch(element.dataset.live, { headers: { accept: 'text/html' } });
        if (!answer.ok || answer.redirected) return;
        const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
        const next = page.getElementById(element.id);
        if (!next) return;
        for (const id of (element.dataset.also ?? '').split(' ')) replaceChanged(id, page);
        element.replaceWith(next);
        if (next.dataset.live) refresh(next);
      } catch {
        refresh(element);
      }
    },
    Number(element.dataset.every ?? 2000),
  );
}

function replaceChanged(id, page) {
  const [old, next] = [document.getElementById(id), page.getElementById(id)];
  if (old && next && !old.isEqualNode(next)) old.replaceWith(next);
}
