/** A server to measure: the service, or a minimal one to compare it with. */
export interface Contestant {
  fetch(request: Request): Response | Promise<Response>;
  /** The request headers of each workspace. Each connection uses the headers of one workspace. */
  headers: Record<string, string>[];
}
