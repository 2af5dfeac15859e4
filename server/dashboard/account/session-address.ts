/** Carries the address of the client to the sign-in library, which stores it with a new session. */
export const addressHeader = 'x-tidemark-client-address';

/** Returns headers for the sign-in library with the address of the client. What the client itself sent there is replaced. */
export function withAddress(sent: Headers, address: string): Headers {
  const headers = new Headers(sent);
  headers.set(addressHeader, address);
  return headers;
}
