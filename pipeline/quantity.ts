import { lazy } from './lazy.ts';

const whole = lazy(() => new Intl.NumberFormat('en-US'));
const oneDecimal = lazy(() => new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 }));

/** Returns a number with thousands separators, such as `1,200`. */
export function numberText(value: number): string {
  return whole().format(value);
}

/** Returns a number as {@link numberText} does, but with at most one digit after the decimal point, such as `12.3`. */
export function roundedText(value: number): string {
  return oneDecimal().format(value);
}

/** Returns a change with its sign, such as `+1,200`, `−5` or `0`. `textOf` formats the number without its sign. */
export function signedText(change: number, textOf: (value: number) => string = numberText): string {
  return `${change > 0 ? '+' : change < 0 ? '−' : ''}${textOf(Math.abs(change))}`;
}

/** Returns a number with thousands separators and its noun, such as `1 credit` or `1,200 credits`. */
export function quantity(number: number, one: string, more: string = `${one}s`): string {
  return `${numberText(number)} ${number === 1 ? one : more}`;
}
