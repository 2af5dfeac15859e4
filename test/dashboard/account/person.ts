import { expect } from 'vitest';
import type { DashboardSetup } from '../dashboard-server.ts';
import { password } from './test-password.ts';

/** Returns the cookies that an answer sets, as a Cookie header for the next request. */
export function cookieOf(answer: Response): string {
  return answer.headers
    .getSetCookie()
    .map((set) => set.split(';')[0])
    .join('; ');
}

/** Returns functions that act as people on the sign-in pages of this setup's server. */
export function createPeople(setup: DashboardSetup) {
  let people = 0;
  const post = (path: string, fields: Record<string, string>, cookie = '', headers: Record<string, string> = {}) =>
    setup.send(path, cookie, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { origin: setup.base_url, ...headers },
    });
  const mailsTo = (email: string) => setup.mails.filter(({ to }) => to === email);
  const linkTo = (email: string) => {
    const text = mailsTo(email).at(-1)?.text ?? '';
    return /http\S+/.exec(text)?.[0] ?? expect.fail(`no link was mailed to ${email}`);
  };
  const pathOf = (link: string) => link.slice(setup.base_url.length);
  const tokenOf = (link: string) =>
    new URL(link).searchParams.get('token') ?? expect.fail(`the link has no token: ${link}`);
  return {
    post,
    mailsTo,
    linkTo,
    pathOf,
    tokenOf,
    newPerson() {
      people += 1;
      return { name: 'Ann', email: `person${people}@example.com`, password };
    },
    /** Signs up, confirms the email address, and returns the person with a session cookie. */
    async signedUp(headers: Record<string, string> = {}) {
      const person = this.newPerson();
      await post('/sign-up', person, '', headers);
      const entered = await setup.follow(linkTo(person.email), '', headers);
      return { ...person, cookie: cookieOf(entered) };
    },
    /** Requests a link for choosing a new password, and returns the token in the emailed link. */
    async resetToken(email: string) {
      await post('/forgot', { email });
      return tokenOf(linkTo(email));
    },
  };
}

export type People = ReturnType<typeof createPeople>;
