/**
 * Request header that passes the client's network address to the sign-in library, which stores it with a new session.
 */
export const addressHeader = 'x-tidemark-client-address';

/**
 * Returns request headers for the sign-in library with the client's network address. Replaces a value of this header
 * that the client sent itself.
 */
export function withAddress(sent: Headers, address: string): Headers {
  const headers = new Headers(sent);
  headers.set(addressHeader, address);
  return headers;
}
