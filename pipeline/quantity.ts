import { lazy } from './lazy.ts';

const numberFormat = lazy(() => new Intl.NumberFormat('en-US'));

/** Returns a number with thousands separators and its noun, such as `1 credit` or `1,200 credits`. */
export function quantity(number: number, one: string, more: string = `${one}s`): string {
  return `${numberFormat().format(number)} ${number === 1 ? one : more}`;
}
