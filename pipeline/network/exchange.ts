/** One request to an upstream. */
export interface UpstreamRequest {
  method?: 'GET' | 'POST';
  url: string;
  headers?: Record<string, string>;
  /** JSON text of a POST. */
  body?: string;
  /** Returns true to follow a redirect to an allow-listed host, at most 3 times. Otherwise the redirect itself is the answer. */
  follow?: (target: URL) => boolean;
  timeout_ms?: number;
  max_bytes?: number;
}

export interface UpstreamAnswer {
  status: number;
  /** The URL that answered, after redirects. */
  url: string;
  /** Names in lower case, without cookies. */
  headers: Record<string, string>;
  /** Decompressed, at most `max_bytes`, without a byte order mark. */
  body: Buffer;
}

/**
 * Sends one request to an upstream. Every HTTP status is an answer. Throws SourceError: SOURCE_TIMEOUT without an answer in
 * time, SOURCE_UNAVAILABLE without a connection, SOURCE_RESPONSE_CHANGED for a body over `max_bytes` or one that cannot be
 * decoded, SOURCE_CAPACITY when the queue for the host is full.
 */
export type Fetcher = (request: UpstreamRequest, signal: AbortSignal) => Promise<UpstreamAnswer>;
