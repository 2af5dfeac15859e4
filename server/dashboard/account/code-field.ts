import { field, type Piece } from '../ui/components.ts';
import { text } from '../ui/section.ts';

/** Returns a field for a two-factor code. */
export function codeField(
  label: string,
  hint = 'Six digits from your authenticator app. Lost your device? Use a backup code.',
): Piece {
  return field(label, 'code', { required: true, autocomplete: 'one-time-code', maxlength: 20, hint });
}

/**
 * Returns the code that the user entered into {@link codeField}, without spaces, because apps show a code with a space
 * in the middle.
 */
export function enteredCode(form: FormData): string {
  return text(form, 'code').replaceAll(/\s/g, '').slice(0, 100);
}
