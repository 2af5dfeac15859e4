import { html } from 'hono/html';
import type { AddonFile } from '../../addon/built-files.ts';
import { withNext } from '../account/sign-in-pages.ts';
import { notice, type Piece, secret, success } from '../ui/components.ts';
import type { Problem } from '../ui/forms/field-problem.ts';
import type { Visitor } from '../ui/visitor.ts';
import { editorDrawing, menuDrawing, settingsDrawing } from './drawings.ts';
import type { Reach } from './reach.ts';
import { capForm, needsAddress, type WayContent } from './ways.ts';

interface KeyForm {
  visitor: Visitor | null;
  /** The new API key, which the page shows only once. Null before the key is created. */
  key: string | null;
  /** The reason why no API key was created. Null when no attempt was refused. */
  problem: Problem | null;
}

/** Returns the steps for installing the add-on in one spreadsheet by copy and paste. */
export function copyPasteContent(reach: Reach, keyForm: KeyForm): WayContent {
  const content = html`${needsAddress(reach)}
<p>The add-on gives you formulas such as <code>=SOCIAL_PROFILE(A2:A50)</code>, a sidebar, imports (values without formulas) and schedules. The three files below are built for this server. Nothing in them is secret.</p>
<ol class="walk">
<li>${drawn(menuDrawing())}<h3>Open the script editor</h3><p>Open a spreadsheet (<a href="https://sheets.new">sheets.new</a> makes one). Choose <b>Extensions → Apps Script</b>.</p></li>
<li>${drawn(editorDrawing())}<h3>Paste the code and the sidebar</h3>
<p>Click the name <i>Untitled project</i> and call it <b>Tidemark</b>: the menu gets this name. Then select everything in <b>Code.gs</b> and paste:</p>
${copyFile('Code.js', 'Copy code', 'Code.gs')}
<p>Choose <b>+ → HTML</b>, type the name <b>Sidebar</b>, select everything in it and paste:</p>
${copyFile('Sidebar.html', 'Copy sidebar', 'Sidebar.html')}</li>
<li>${drawn(settingsDrawing())}<h3>Paste the manifest</h3><p>In <b>Project Settings</b> (the gear), tick <b>Show "appsscript.json" manifest file in editor</b>. Go back to the editor, open <b>appsscript.json</b>, select everything and paste:</p>
${copyFile('appsscript.json', 'Copy manifest', 'appsscript.json')}
<p>It limits the add-on: it may read this spreadsheet only, and call this server only.</p></li>
<li><h3>Save and reload</h3><p>Press <kbd>Ctrl</kbd> + <kbd>S</kbd> (<kbd>⌘</kbd> + <kbd>S</kbd> on a Mac), go back to the spreadsheet and reload it. After a few seconds, <b>Extensions → Tidemark → Open sidebar</b> is there. Google asks for your permission once. It also warns that it has not verified the app, because you made it yourself: choose <b>Advanced</b>, then <b>Go to Tidemark</b>.</p></li>
<li id="key"><h3>Make a sheet key and paste it into the sidebar</h3>${keyContent(keyForm)}</li>
<li><h3>Fill the first rows</h3><p>Paste profile links into A2:A6 and type <code>=SOCIAL_PROFILE(A2:A6, "followers,posts")</code> into B2. Each new profile costs 1 credit; opening the file again within a day costs nothing. More: <a href="/docs/addon">the guide with pictures</a>.</p></li>
</ol>`;
  return { heading: 'Add-on in one spreadsheet: copy and paste', content };
}

const whereToPaste = html`<p>Go back to the spreadsheet and open the sidebar: <b>Extensions → Tidemark → Open sidebar</b>. Choose <b>Use my own links</b>, paste the key into <b>Paste it here</b>, and choose <b>Connect</b>.</p>`;

const drawn = (picture: Piece): Piece =>
  html`<figure>${picture}<figcaption class="hint">A drawing of Google’s page</figcaption></figure>`;

/** Returns buttons that copy and download a file of the add-on. `saveAs` is the name of the file in Apps Script. */
function copyFile(file: AddonFile, button: string, saveAs: string): Piece {
  return html`<div class="row copy"><button type="button" data-copy-file="/addon/${file}">${button}</button><a href="/addon/${file}" download="${saveAs}">Download ${saveAs}</a></div>`;
}

function keyContent({ visitor, key, problem }: KeyForm): Piece {
  if (key) {
    return html`${success('Copy the key now. You will not see it again.')}${secret('Sheet key', key)}
${whereToPaste}<p>The key is saved in the spreadsheet. You can revoke it any time under <a href="/dashboard/keys">Keys</a>.</p>`;
  }
  const about = html`<p>A <b>sheet key</b> can fill spreadsheets and nothing else, and it stops at its monthly cap, the most credits that it can spend in a month. That matters: everyone who can edit the spreadsheet can spend it.</p>`;
  if (!visitor)
    return html`${about}<p class="buttons"><a class="button" href="${withNext('/sign-up', '/addon#key')}">Sign up for a free key</a><a class="button quiet" href="${withNext('/sign-in', '/addon#key')}">Sign in</a></p>${whereToPaste}`;
  return html`${about}${notice(problem, 'bad')}${capForm('/addon/key#key', 'cap', 'Make a sheet key')}${whereToPaste}`;
}
