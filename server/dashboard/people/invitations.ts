import { html } from 'hono/html';
import type { Invitation } from '../../../db/accounts/team.ts';
import { nameWithoutLinks, serviceMail } from '../../../pipeline/notify/service-mail.ts';
import type { SettingsDeps } from '../deps.ts';
import {
  card,
  controlsColumn,
  field,
  form,
  type Piece,
  secret,
  select,
  table,
  time,
  titleColumn,
} from '../ui/components.ts';
import { type FormVisit, text } from '../ui/section.ts';
import { roleChoices, roleNames } from './roles.ts';

export const peopleArea = '/dashboard/people';
export const invitationDays = 7;

/**
 * The link of a new invitation, and the email address to which it was sent. The address is null when the link was not
 * emailed.
 */
export interface NewInvitation {
  link: string;
  email: string | null;
}

/** Returns the table of the invitations that are not accepted yet. */
export function waitingTable(waiting: readonly Invitation[]): Piece {
  const rows = waiting.map(({ invitation_id, email, role, invited_by, expires_at }) => [
    html`${email ?? 'everyone with the link, once'}<small>invited by ${invited_by}</small>`,
    roleNames[role],
    time(expires_at),
    form(
      `${peopleArea}/withdraw`,
      html`<input type="hidden" name="invitation_id" value="${invitation_id}">`,
      'Withdraw',
      'quiet',
    ),
  ]);
  return html`<h3>Invited</h3>${table('Invitations that are not accepted yet', [titleColumn('For'), 'Role', { heading: 'Works until', time: true }, controlsColumn], rows, { as_cards: true })}`;
}

/** Returns the form that invites a person. `typed` has the fields of a form that was refused. */
export function inviteForm(typed: FormData): Piece {
  const hint = `Only this address can accept. Leave it empty to get a link that works once, for the first person who opens it, for ${invitationDays} days.`;
  return form(
    `${peopleArea}/invite`,
    [
      field('Email', 'email', { type: 'email', maxlength: 254, hint, value: text(typed, 'email') }),
      select('Role', 'role', roleChoices, { value: text(typed, 'role') || 'editor' }),
    ],
    'Invite',
  );
}

/** Returns the card with the link of a new invitation, which is shown once. */
export function invitedCard({ link, email }: NewInvitation): Piece {
  const sent =
    email === null
      ? 'Send this link to the person.'
      : `We sent this link to ${email}. You can also pass it on yourself.`;
  return card(
    'Invitation',
    html`<p>${sent} It works once, for ${invitationDays} days. Copy it now: it cannot be shown again.</p>${secret('Invitation link', link)}`,
  );
}

/**
 * Emails an invitation without waiting for the result. If the mail server fails, the user can still copy the link from
 * the page.
 */
export function mailInvitation(
  { visitor }: FormVisit,
  { mail, on_error }: Pick<SettingsDeps, 'mail' | 'on_error'>,
  { email, link }: { email: string; link: string },
): void {
  const workspace = nameWithoutLinks(visitor.workspace_name);
  const message = {
    subject: `${visitor.email} invites you to a Tidemark workspace`,
    lines: [
      `${visitor.email} invites you to the workspace "${workspace}" on Tidemark.`,
      `The link works once, within ${invitationDays} days.`,
    ],
    action: { label: 'Join the workspace', url: link },
    notes: ['If you do not know the sender, ignore this email.'],
  };
  mail(serviceMail(email, message)).catch(on_error);
}
