import type { Context, Hono } from 'hono';
import { html } from 'hono/html';
import { addAudit } from '../../../db/accounts/audit.ts';
import { acceptInvitation, chooseWorkspace, openInvitation } from '../../../db/accounts/team.ts';
import type { ClientAddress } from '../../http/client-address.ts';
import { answerRequest, type WriteLog } from '../../http/handle-request.ts';
import { limitBody } from '../../http/limit-body.ts';
import type { Accounts, Person } from '../account/accounts.ts';
import { forgetInvitation, keepInvitation } from '../account/invitation-cookie.ts';
import { answerPage } from '../ui/answer-page.ts';
import { form, notice, type Piece } from '../ui/components.ts';
import { brokenPage } from '../ui/failure-pages.ts';
import { keepNotice, type NoticeDeps } from '../ui/forms/notice-cookie.ts';
import { readForm, refuseMultipart } from '../ui/forms/read-form.ts';
import { publicPage } from '../ui/layout.ts';
import { ownFormsOnly } from '../ui/own-forms.ts';
import { redirect, text } from '../ui/section.ts';
import { roleNames } from './roles.ts';

interface JoinDeps extends NoticeDeps {
  accounts: Pick<Accounts, 'person'>;
  client_address: ClientAddress;
  log: WriteLog;
}

const path = '/join';
const maxFormBytes = 4 * 1024;

/**
 * Adds the page that the link of an invitation opens. The page does not create a workspace, because the person may only
 * want to join the existing workspace.
 */
export function mountJoin(app: Hono, deps: JoinDeps): void {
  const answer = (c: Context, work: () => Promise<Response>) =>
    answerRequest({
      request: c.req.raw,
      route: path,
      log: deps.log,
      answer: work,
      failed: (error, { request_id }) => brokenPage(error, request_id),
    });
  app.get(path, (c) => answer(c, () => showInvitation(c, deps)));
  app.post(path, ownFormsOnly(deps.base_url), (c) =>
    answer(c, async () => {
      await limitBody(c, maxFormBytes);
      refuseMultipart(c.req.raw);
      return join(c, text(await readForm(c.req.raw), 'token'), deps);
    }),
  );
}

async function showInvitation(c: Context, deps: JoinDeps): Promise<Response> {
  const token = (c.req.query('token') ?? '').replaceAll('\0', '');
  const invitation = await openInvitation(deps.db.sql, token, deps.now());
  if (!invitation) return invalidLinkPage();
  const person = await deps.accounts.person(c.req.raw.headers);
  const { workspace_name, role, invited_by, email } = invitation;
  const text = html`<p>${invited_by} invites you to the workspace <b><bdi>${workspace_name}</bdi></b> as ${roleNames[role].toLowerCase()}.</p>`;
  const page = await joinPage([text, person ? joinForm(token, person, email) : signInLinks(token, email)]);
  page.headers.append('set-cookie', keepInvitation(token, deps.base_url));
  return page;
}

function joinForm(token: string, person: Person, email: string | null): Piece {
  if (email !== null && email !== person.email.toLowerCase()) {
    return html`<p>The invitation is for ${email}, and you are signed in as ${person.email}. Sign out first, then open the link again.</p>
${form('/sign-out', null, 'Sign out', 'quiet')}`;
  }
  return form(
    path,
    html`<p>You are signed in as ${person.email}.</p><input type="hidden" name="token" value="${token}">`,
    'Join',
  );
}

function signInLinks(token: string, email: string | null): Piece {
  const next = encodeURIComponent(`${path}?token=${token}`);
  return html`<p>Sign in${email ? ` as ${email}` : ''} to accept it. After you confirmed a new account, this page opens again.</p>
<p class="row"><a class="button" href="/sign-in?next=${next}">Sign in</a> <a class="button quiet" href="/sign-up?next=${next}">Create an account</a></p>`;
}

async function join(c: Context, token: string, deps: JoinDeps): Promise<Response> {
  const { db, now } = deps;
  const person = await deps.accounts.person(c.req.raw.headers);
  if (!person) return redirect('/sign-in');
  const joined = await acceptInvitation(db.sql, token, person, now());
  if (!joined) return invalidLinkPage();
  await chooseWorkspace(db.sql, person, joined.workspace_id);
  const entry = {
    actor: person.email,
    action: 'joined the workspace',
    subject: joined.role,
    address: deps.client_address(c),
  };
  await addAudit(db.sql, joined.workspace_id, entry, now());
  return redirect('/dashboard', undefined, [forgetInvitation, await keepNotice('joined', deps)]);
}

const joinPage = (content: Piece[], status = 200) =>
  answerPage(publicPage('Invitation', html`<div class="box"><h1>Invitation</h1>${content}</div>`), status);

/** Returns the same error page for unknown, used, withdrawn and expired links to an invitation. */
async function invalidLinkPage(): Promise<Response> {
  const sentence =
    'This invitation is wrong, was already used or withdrawn, or has expired. Ask the sender for a new one.';
  const onward = html`<p><a href="/dashboard">Open your own workspace</a></p>`;
  const page = await joinPage([notice(sentence, 'bad'), onward], 404);
  page.headers.append('set-cookie', forgetInvitation);
  return page;
}
