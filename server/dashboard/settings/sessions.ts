import { html } from 'hono/html';
import type { SessionRow } from '../../../db/accounts/sessions.ts';
import { card, controlsColumn, form, type Piece, table, tag, time, titleColumn } from '../ui/components.ts';
import { deviceName } from '../ui/device-name.ts';

/**
 * Returns the card that lists the devices on which the user is signed in. `current` is the id of the session that
 * requests this page.
 */
export function sessionsCard(current: string, sessions: readonly SessionRow[]): Piece {
  const rows = sessions.map(({ session_id, user_agent, address, created_at, last_used_at }) => [
    html`${deviceName(user_agent)}${session_id === current ? html` ${tag('this device', 'good')}` : null}`,
    address ? shortAddress(address) : '–',
    time(created_at),
    time(last_used_at),
    session_id === current ? null : endForm(session_id),
  ]);
  const others = sessions.length - 1;
  const devices = others === 1 ? '1 other device' : `${others} other devices`;
  return card('Sessions', [
    table(
      'Your sessions',
      [
        titleColumn('Device'),
        'IP address',
        { heading: 'Signed in', time: true },
        { heading: 'Last used', time: true },
        controlsColumn,
      ],
      rows,
      {
        as_cards: true,
      },
    ),
    others > 0
      ? form(
          '/dashboard/settings/sessions',
          html`<p>You are also signed in on ${devices}.</p>`,
          'Sign out other devices',
          'quiet',
        )
      : html`<p>You are signed in on this device only.</p>`,
  ]);
}

function endForm(sessionId: string): Piece {
  return form(
    '/dashboard/settings/session',
    html`<input type="hidden" name="session_id" value="${sessionId}">`,
    'Sign out',
    'quiet',
  );
}

/** Returns an IPv6 address in its short form. The sign-in library stores the long form with all zeros. */
function shortAddress(address: string): string {
  return address.includes(':') ? (URL.parse(`http://[${address}]`)?.hostname.slice(1, -1) ?? address) : address;
}
