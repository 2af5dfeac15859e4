import { type LinkResolver, type ResolvedLinks, resolveAll } from '../../../pipeline/collect/short-links.ts';
import { listedAddress, platforms } from '../../../pipeline/rows/profile-address.ts';
import { type Piece, select } from './components.ts';
import { platformNames } from './platform-names.ts';
import { text } from './section.ts';

const choices: [string, string][] = [
  ['', 'No handles, links only'],
  ...platforms.map((platform): [string, string] => [platform, platformNames[platform] ?? platform]),
];

/** Returns the select field for the platform of typed handles, such as `@nasa`. */
export const handlePlatformSelect = (value = ''): Piece =>
  select('Platform of handles', 'handles_on', choices, {
    value,
    hint: 'Needed only for handles such as @nasa. Links already name their platform.',
  });

/**
 * Returns the typed lines as URLs. A handle becomes the profile URL on the platform that the user chose. A short link
 * becomes the URL to which it leads, or stays unchanged when it cannot be followed now. The lines with an index in
 * `withoutLink` are no handles.
 */
export async function addressesIn(
  form: FormData,
  lines: readonly string[],
  links: LinkResolver,
  withoutLink: ReadonlySet<number> = new Set(),
): Promise<ResolvedLinks> {
  const chosen = text(form, 'handles_on');
  const platform = platforms.find((name) => name === chosen);
  const first = lines.findIndex((line) => line.trim() !== '');
  const addressOf = (line: string, index: number) =>
    platform && !withoutLink.has(index) ? listedAddress(platform, line, index === first) : line;
  const addresses = lines.map(addressOf);
  return resolveAll(addresses, links);
}
