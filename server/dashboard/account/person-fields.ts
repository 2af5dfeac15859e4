import { z } from 'zod';
import { at, type Problem } from '../ui/forms/field-problem.ts';
import { passwordLength } from './auth-limits.ts';

export const emailForm = z.email().max(254);
export const badEmail = 'Enter a valid email address.';
export const wrongPassword = 'This is not the password that was chosen at sign-up.';

/** Returns the problem with the name or email address of a new user, or null when both are valid. */
export function personProblem(name: string, email: string): Problem | null {
  if (name === '') return at('name', 'Enter your name.');
  return emailForm.safeParse(email).success ? null : at('email', badEmail);
}

/** Returns the problem with a new password, or null when the password is valid. */
export function passwordProblem(password: string): Problem | null {
  const { min, max } = passwordLength;
  if (password.length >= min && password.length <= max) return null;
  return at('password', `A password must have ${min} to ${max} characters.`);
}
