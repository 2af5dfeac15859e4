/** One HTTP request to a platform, such as Instagram or YouTube. */
export interface UpstreamRequest {
  method?: 'GET' | 'POST';
  url: string;
  headers?: Record<string, string>;
  /** Body of a POST request, as JSON text. */
  body?: string;
  /**
   * Decides whether the redirect to `target` is followed. At most 3 redirects are followed, and only to allowed hosts.
   * A redirect that is not followed is returned as the answer.
   */
  follow?: (target: URL) => boolean;
  timeout_ms?: number;
  max_bytes?: number;
}

export interface UpstreamAnswer {
  status: number;
  /** The URL that returned this answer, after all redirects. */
  url: string;
  /** Response headers with lower-case names, without cookies. */
  headers: Record<string, string>;
  /** The decompressed body without a byte order mark, with at most `max_bytes` bytes. */
  body: Buffer;
}

/**
 * Sends one HTTP request to a platform. Returns the answer for every HTTP status, even an error. Throws SOURCE_TIMEOUT
 * when there is no answer in time and SOURCE_UNAVAILABLE when there is no connection. Throws SOURCE_RESPONSE_CHANGED
 * when the body is larger than `max_bytes` or cannot be decoded, and SOURCE_CAPACITY when too many requests to the host
 * are waiting.
 */
export type Fetcher = (request: UpstreamRequest, signal: AbortSignal) => Promise<UpstreamAnswer>;
