const maxAddressCharacters = 2_048;

/**
 * Invisible characters, such as zero-width spaces and direction marks, which copying from apps adds to links and
 * handles. Does not include the joiners U+200C and U+200D and the tag characters of flag emoji, because hashtags can
 * contain them.
 */
const invisible = /[[\p{Cf}&&\p{DI}]--[\u200c\u200d\u{e0020}-\u{e007f}]]/gv;
const joinersAtEnds = /^[\u200c\u200d]+|(?<![\u200c\u200d])[\u200c\u200d]+$/g;
const encodedCharacters = /(?:%[89a-f][0-9a-f])+/gi;
const opening = /^[\s"'“”„‘’«»<([*]+/;
const closing = /^[\s"'“”‘’«»>)\]*,;:!?.…]$/;

/**
 * Returns an identifier, such as a handle or an ID, without invisible characters and without joiners at its start and
 * end.
 */
export function visibleText(text: string): string {
  return text.replace(invisible, '').replace(joinersAtEnds, '');
}

/** Returns a link without percent-encoded invisible characters. */
function visibleLink(link: string): string {
  return link.replace(encodedCharacters, (encoded) => {
    try {
      return encodeURIComponent(decodeURIComponent(encoded).replace(invisible, ''));
    } catch {
      return encoded;
    }
  });
}

/**
 * Returns a pasted text without invisible characters, and without spaces, quotes, brackets and punctuation at its start
 * and end. Keeps the dots of a text that was cut off, such as `instagram.com/tide…`.
 */
export function plainText(text: string): string {
  const visible = visibleText(text).replace(opening, '');
  let end = visible.length;
  while (end > 0 && closing.test(visible.charAt(end - 1))) end--;
  return visibleText(isCutOff(visible.slice(end)) ? visible.trim() : visible.slice(0, end));
}

const isCutOff = (ending: string) => /\.\.|…/.test(ending);

/**
 * Matches a spreadsheet formula, an HTML element or Markdown that shows one link. One of the groups is the URL of the
 * link. Does not match a formula that concatenates the URL.
 */
const markup = new RegExp(
  [
    /^=HYPERLINK\(\s*"([^"]*)"\s*(?:[,;)](?:(?!HYPERLINK\().)*)?$/,
    /^<a\s(?:[^>]*\s)?href="([^"]*)"(?:(?!<a\s).)*$/,
    /^\[[^\]]*\]\(([^\s()]*)\)$/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'is',
);
/**
 * Matches the name of a platform before a handle or a link, such as "IG: @nasa". Group 1 is set for Instagram and group
 * 2 for TikTok.
 */
const label = /^(?:(instagram|insta|ig)|(tik ?tok|tt)|youtube|yt)(?:\s*[:–—-]\s*|\s+)(?=@|https?:\/\/)/i;
const linkPart = /:\/\/[^\s/]+\.[a-z]|^www\.[a-z]|[a-z0-9]\.[a-z]{2,}\//i;
/** Matches a wrong number of slashes or spaces after the scheme of a link, as in "https:// example.com". */
const brokenScheme = /^(https?):(?:\/\/\s+|\/\/\/+|\/(?!\/))\s*(?=[a-z0-9])/i;

/**
 * Returns the link in a pasted text. For a platform name and a handle, such as "IG: @nasa", returns the URL of the
 * profile.
 */
export function linkText(text: string): string {
  const target = markup
    .exec(text.trim())
    ?.slice(1)
    .find((group) => group !== undefined);
  const plain = plainText(target ?? text).replaceAll('&amp;', '&');
  const [name = '', photo, shortvideo] = label.exec(plain) ?? [];
  const rest = plain.slice(name.length).replace(brokenScheme, '$1://');
  if (name === '' || !/^@[^\s@/:?#]+$/.test(rest)) return rest.startsWith('//') ? `https:${rest}` : rest;
  const home = photo ? 'www.instagram.com/' : `www.${shortvideo ? 'tiktok' : 'youtube'}.com/@`;
  return `https://${home}${rest.slice(1)}`;
}

/**
 * Returns null when a text is exactly one complete link, otherwise one sentence that says what to use instead. Other
 * text is refused (docs/adr/0148): text after the link may be a part of the link, and text before the link may say that
 * the link is about something else.
 */
function textProblem(text: string, home: string): string | null {
  const parts = text.split(/\s+|[,;|](?=https?:\/\/|[a-z0-9.-]+\.[a-z]{2,}\/)/i);
  const links = parts.filter((part) => linkPart.test(part)).length;
  if (links > 1) return 'This text has several links: use one link for each cell or line.';
  if (parts.length > 1)
    return links === 1 ? 'Use only the link, without spaces or other text.' : `Use a complete link on ${home}.`;
  return isCutOff(text.slice(-2)) ? 'This link is cut off: copy the whole link.' : null;
}

/**
 * Links of other sites that contain the real link in a query parameter: the patterns of their hosts and paths, and the
 * name of the parameter.
 */
const wrappers: readonly [hosts: RegExp, path: RegExp, parameter: string][] = [
  [/^l\.instagram\.com$/, /^/, 'u'],
  [/^lm?\.facebook\.com$/, /^\/l\.php$/, 'u'],
  [/^www\.google\.[a-z.]{2,6}$/, /^\/url$/, 'q'],
  [/^www\.google\.[a-z.]{2,6}$/, /^\/url$/, 'url'],
  [/\.safelinks\.protection\.outlook\.com$/, /^\/$/, 'url'],
  [/^(?:www\.|m\.)?youtube\.com$/, /^\/redirect$/, 'q'],
  [/^consent\.youtube\.com$/, /^\/m$/, 'continue'],
  [/^(?:www\.)?tiktok\.com$/, /^\/link\/v2$/, 'target'],
  [/^(?:www\.)?instagram\.com$/, /^\/accounts\/login\/?$/, 'next'],
];

/** Returns the link in a query parameter of another site's link. Null when the URL is not such a link. */
export function wrappedIn(url: URL): string | null {
  for (const [hosts, path, parameter] of wrappers) {
    const inner = hosts.test(url.hostname) && path.test(url.pathname) ? url.searchParams.get(parameter) : null;
    if (inner) return /^\/(?!\/)/.test(inner) ? url.origin + inner : inner;
  }
  return null;
}

/**
 * Parses the link in a text and returns the link when its host is one of `hosts`. If the link contains the real link,
 * such as a redirect link of Instagram or Google, returns the real link. Fetches nothing. Otherwise returns one
 * sentence that tells the customer what to use instead.
 */
export function addressOn(hosts: readonly string[], text: string): URL | string {
  const address = plainAddress(hosts, text);
  const inner = typeof address === 'string' ? null : wrappedIn(address);
  return inner === null ? foreign(hosts, address) : foreign(hosts, plainAddress(hosts, inner));
}

const foreign = (hosts: readonly string[], address: URL | string) =>
  typeof address === 'string' || hosts.includes(address.hostname)
    ? address
    : `Use a link on https://${hosts[0]}: this one belongs to another site.`;

function plainAddress([first]: readonly string[], text: string): URL | string {
  const home = `https://${first}`;
  if (text.length > maxAddressCharacters) return `Use a link of at most ${maxAddressCharacters} characters.`;
  const found = linkText(text);
  const problem = textProblem(found, home);
  if (problem !== null) return problem;
  // Some people write & before the first parameter, as in youtu.be/ID&t=5. The first & is replaced with ?.
  const link = visibleLink(found).replace(/^([^?#]*?)&(?=[a-z_]+=)/i, '$1?');
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(link) ? link : `https://${link}`;
  const authority = /^https?:\/\/([^/?#]*)/i.exec(full)?.[1];
  const url = URL.parse(full);
  if (authority === undefined || url === null || full.includes('\\')) return `Use a complete link on ${home}.`;
  if (!authority.includes('.')) return `This is not a link: use a complete one on ${home}.`;
  if (/[@:]/.test(authority)) return `Use the link without user name and port, beginning with ${home}/.`;
  return url;
}

/**
 * Returns the path of a URL with each segment decoded once and without slashes at its start and end. Null when it
 * cannot be decoded.
 */
export function decodedPath(url: URL): string | null {
  try {
    const segments = url.pathname.split('/').filter((segment) => segment !== '');
    const decoded = segments.map(decodeURIComponent);
    return decoded.some((segment) => segment.includes('/')) ? null : decoded.join('/');
  } catch {
    return null;
  }
}
