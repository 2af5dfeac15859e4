// Optional improvements of the web pages. Every page also works without this script.

/** Makes each button with `data-copy` copy the text or value of the element whose id is in this attribute. */
for (const button of document.querySelectorAll('[data-copy]')) {
  const from = document.getElementById(button.dataset.copy);
  button.addEventListener('click', () => copy(button, () => from.value ?? from.textContent));
}

/**
 * Makes each button with `data-copy-file` copy the file at the path in this attribute. Loads the file before the click,
 * because a browser lets a page copy only right after a click.
 */
for (const button of document.querySelectorAll('[data-copy-file]')) {
  const load = () =>
    fetch(button.dataset.copyFile).then((answer) => (answer.ok ? answer.text() : Promise.reject(answer)));
  let text = load();
  text.catch(() => undefined);
  button.addEventListener('click', () =>
    copy(button, async () => {
      text = text.catch(load);
      return text;
    }),
  );
}

/**
 * Copies a text and says so on the button. Without access to the clipboard, shows the text in a text field, selected
 * for copying by hand.
 */
async function copy(button, read) {
  button.dataset.label ??= button.textContent;
  try {
    const text = await read();
    const copied = await writeClipboard(text);
    if (!copied) return showText(button, text);
    button.textContent = 'Copied';
  } catch {
    button.textContent = 'Not loaded. Try again';
  }
  announce(button.textContent);
  setTimeout(() => {
    button.textContent = button.dataset.label;
  }, 2000);
}

/** Writes a text to the clipboard. Returns false when the browser refuses this, for example on a page without https. */
async function writeClipboard(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

function showText(button, text) {
  const area = document.createElement('textarea');
  area.readOnly = true;
  area.rows = 6;
  area.value = text;
  area.setAttribute('aria-label', 'Text to copy');
  const hint = document.createElement('p');
  hint.className = 'hint';
  hint.textContent = 'Your browser did not allow copying. Press Ctrl + C, or ⌘ + C on a Mac.';
  const block = document.createElement('div');
  block.className = 'by-hand';
  block.append(hint, area);
  const row = button.closest('.row, figure, .secret') ?? button;
  if (row.nextElementSibling?.className === 'by-hand') row.nextElementSibling.remove();
  row.after(block);
  area.focus();
  area.select();
}

/** Shows the print buttons, which are hidden without this script. A click on one opens the print dialog. */
for (const button of document.querySelectorAll('[data-print]')) {
  button.hidden = false;
  button.addEventListener('click', () => window.print());
}

/** Forms that the user has just confirmed. They are sent without asking again. */
const confirmed = new WeakSet();

/** Asks the user in a dialog before a form with `data-confirm` is sent. */
document.addEventListener('submit', (event) => {
  const { target: form, submitter } = event;
  if (!form.dataset.confirm || confirmed.delete(form)) return;
  event.preventDefault();
  const label = submitter.cloneNode(true);
  label.querySelector('.hidden')?.remove();
  const dialog = confirmationDialog(form.dataset.confirm, label.textContent);
  dialog.addEventListener('close', () => {
    dialog.remove();
    if (dialog.returnValue !== 'yes') return;
    confirmed.add(form);
    form.requestSubmit(submitter);
  });
  document.body.append(dialog);
  dialog.showModal();
});

/** Returns a dialog with a question and its consequence, such as "Remove the list? Its items are still tracked." */
function confirmationDialog(text, action) {
  const [, question = text, consequence = ''] = /^(.*\?)\s+(.*)$/s.exec(text) ?? [];
  const dialog = document.createElement('dialog');
  dialog.role = 'alertdialog';
  dialog.setAttribute('aria-labelledby', 'question');
  dialog.setAttribute('aria-describedby', 'consequence');
  dialog.innerHTML = `<h2 id="question"></h2><p id="consequence"></p><form method="dialog" class="buttons">
<button class="quiet" value="no" autofocus>Cancel</button><button class="danger" value="yes"></button></form>`;
  dialog.querySelector('h2').textContent = question;
  dialog.querySelector('p').textContent = consequence;
  dialog.querySelector('.danger').textContent = action;
  return dialog;
}

/** Milliseconds during which the same form is not sent again, unless the user changed it. */
const resendAfter = 10_000;
let lastSent = { form: '', at: -resendAfter };

/**
 * Ignores a second press of a button until the server has answered the first, because the browser would show only the
 * answer to the second press. The server, too, handles such a form only once. A download can be repeated, because the
 * page stays open.
 */
document.addEventListener('submit', (event) => {
  const { target, submitter, timeStamp: at } = event;
  if (event.defaultPrevented || target.method !== 'post' || submitter?.hasAttribute('data-download')) return;
  const form = `${target.action} ${new URLSearchParams(new FormData(target, submitter))}`;
  if (form === lastSent.form && at - lastSent.at < resendAfter) event.preventDefault();
  else lastSent = { form, at };
});
addEventListener('pageshow', () => {
  lastSent = { form: '', at: -resendAfter };
});

/** Removes the API key that was typed into the API reference from all tabs when the user signs out. */
document.addEventListener('submit', ({ target }) => {
  if (target.getAttribute('action') !== '/sign-out') return;
  sessionStorage.removeItem('key');
  // Tells the other tabs, which cannot be reached in another way. The item itself is not needed.
  localStorage.setItem('signed-out', String(Date.now()));
  localStorage.removeItem('signed-out');
});
addEventListener('storage', ({ key }) => {
  if (key === 'signed-out') sessionStorage.removeItem('key');
});

/**
 * Asks the browser for a passkey when a form with `data-passkey` is sent. Then sends the browser's answer in the field
 * `answer`.
 */
for (const form of document.querySelectorAll('[data-passkey]')) {
  const { answer } = form.elements;
  const problem = form.querySelector('[role="alert"]');
  let isAsking = false;
  addEventListener('pageshow', () => {
    isAsking = false;
  });
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (isAsking) return;
    isAsking = true;
    problem.hidden = true;
    try {
      answer.value = JSON.stringify(await askForPasskey(form.dataset.passkey, JSON.parse(form.dataset.options)));
      form.submit();
    } catch {
      problem.hidden = false;
      isAsking = false;
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
 * Opens the answer to a refresh or a search as a page of its own when the answer is not a newer version of this page:
 * when it is the sign-in page, a refusal such as "not found", or this page for another workspace, which the user chose
 * in another tab.
 */
document.addEventListener('htmx:before:response', (event) => {
  const { raw } = event.detail.ctx.response;
  const { workspace } = document.querySelector('main').dataset;
  const isOther = raw.ok && raw.headers.get('x-workspace') !== workspace;
  const isRefused = raw.status >= 400 && raw.status < 500;
  if (!isOther && !isRefused) return;
  event.preventDefault();
  location.assign(raw.url);
});

/**
 * Shows only the check boxes whose label contains the text in the search field `data-filter`. Selected check boxes stay
 * visible.
 */
for (const field of document.querySelectorAll('[data-filter]')) {
  field.hidden = false;
  const labels = field.closest('[data-filtered]').querySelectorAll('label');
  const showMatches = () => {
    const searched = field.value.trim().toLowerCase();
    for (const label of labels)
      label.hidden = !label.textContent.toLowerCase().includes(searched) && !label.querySelector('input').checked;
  };
  field.addEventListener('input', showMatches);
  // When the user goes back to this page, the browser restores the text of the search field.
  addEventListener('pageshow', showMatches);
  // Pressing Enter must not send the form around the search field.
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') event.preventDefault();
  });
}

document.documentElement.classList.add('scripted');

/** Removes the message about the last submitted form after 8 seconds, or later when it is long. */
for (const toast of document.querySelectorAll('[data-toast]'))
  setTimeout(() => toast.remove(), 8000 + 100 * toast.textContent.length);

/**
 * Contains short messages for screen readers. It is empty when the page loads and after each message, because screen
 * readers announce a status only when its content changes on an open page.
 */
const announcer = document.createElement('div');
announcer.className = 'hidden';
announcer.role = 'status';
document.body.append(announcer);

let announcerTimer;

function announce(message) {
  clearTimeout(announcerTimer);
  announcer.textContent = message;
  announcerTimer = setTimeout(() => announcer.replaceChildren(), 2000);
}

/** Announces the messages about the last submitted form a moment after the page has loaded. */
const announced = [...document.querySelectorAll('[data-announce]')].map((message) => message.textContent);
if (announced.length > 0) setTimeout(() => announce(announced.join(' ')), 250);

/**
 * Opens the dialog whose id is in `data-dialog`. Without this script, the button is a link to a page or to the dialog's
 * position on this page. A click outside an open menu closes the menu.
 */
document.addEventListener('click', (event) => {
  const opener = event.target.closest('[data-dialog]');
  if (opener) {
    event.preventDefault();
    document.getElementById(opener.dataset.dialog)?.showModal();
  }
  for (const menu of document.querySelectorAll('details.menu[open]'))
    if (!menu.contains(event.target)) menu.open = false;
});

/** Closes the open menu when the user presses Escape, and moves the focus back to the menu's button. */
document.addEventListener('keydown', (event) => {
  const menu = event.key === 'Escape' ? document.querySelector('details.menu[open]') : null;
  if (!menu) return;
  menu.open = false;
  menu.querySelector('summary').focus();
});

const rowBox = 'tbody input[type="checkbox"]';

/** Ticks or unticks all rows of a table with its "select all" box. */
document.addEventListener('change', ({ target }) => {
  const boxes = target.matches('[data-select-all]') ? target.form.querySelectorAll(rowBox) : [];
  for (const box of boxes) box.checked = target.checked;
  showSelected();
});

/** Shows the number of ticked rows of each table above its buttons. */
function showSelected() {
  for (const shown of document.querySelectorAll('[data-selected]'))
    shown.textContent = `${shown.closest('form').querySelectorAll(`${rowBox}:checked`).length} selected`;
}
// Shows the number again after a refresh has replaced it, and after the browser's Back button has restored the ticks.
document.addEventListener('htmx:after:swap', showSelected);
addEventListener('pageshow', showSelected);

/** Moves the focus to the search field when the user presses /, unless the user is typing. */
document.addEventListener('keydown', (event) => {
  const field = document.querySelector('[data-search]');
  const isTyping = event.target.closest('input, textarea, select, [contenteditable]');
  if (event.key !== '/' || !field || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  field.focus();
});
