/** The complete response to one API request. */
export interface Received {
  status: number;
  request_id: string;
  credits_charged: number;
  headers: Headers;
  text: string;
}

/** Sends a request over a real socket and reads the whole response; throws when the connection fails before that. */
export async function ask(
  baseUrl: string,
  path: string,
  key: string,
  headers: Record<string, string> = {},
): Promise<Received> {
  const response = await fetch(`${baseUrl}${path}`, { headers: { 'x-api-key': key, ...headers } });
  const text = await response.text();
  return {
    status: response.status,
    request_id: response.headers.get('x-request-id') ?? '',
    credits_charged: Number(response.headers.get('x-credits-charged')),
    headers: response.headers,
    text,
  };
}

/** Returns the number of answers with each status. */
export function statusCounts(answers: readonly Received[]): Record<number, number> {
  return Object.fromEntries(
    [...Map.groupBy(answers, ({ status }) => status)].map(([status, { length }]) => [status, length]),
  );
}

/** Returns the error code in a response body. */
export function codeOf({ text }: Received): string {
  return (JSON.parse(text) as { error: { code: string } }).error.code;
}

/** Opens a sign-in link and sends the form on its page. */
export function pressLink(link: string): Promise<Response> {
  const { origin, pathname, searchParams } = new URL(link);
  const body = new URLSearchParams({ token: searchParams.get('token') ?? '' });
  return fetch(`${origin}${pathname}`, { method: 'POST', body, headers: { origin }, redirect: 'manual' });
}
