/**
 * Matches the user agent of a program that opens links without a human reader: crawlers, link previews in chats, and
 * mail scanners.
 */
const programs =
  /bot\b|bot[/;]|crawl|spider|slurp|preview|facebookexternalhit|whatsapp|telegram|slack|discord|linkedin|skype|teams|embedly|scan|monitor|curl|wget|python|httpclient|okhttp|java\/|go-http|node|undici|headless|safelinks|proofpoint|mimecast|barracuda/i;

/**
 * Returns true when a request seems to come from a person who reads the page. A program that does not identify itself
 * as one counts as a person.
 */
export function isPerson({ method, headers }: Request): boolean {
  const agent = headers.get('user-agent') ?? '';
  const ahead = `${headers.get('sec-purpose') ?? ''} ${headers.get('purpose') ?? ''} ${headers.get('x-moz') ?? ''}`;
  return method === 'GET' && agent.startsWith('Mozilla/') && !programs.test(agent) && !/prefetch|preview/i.test(ahead);
}
