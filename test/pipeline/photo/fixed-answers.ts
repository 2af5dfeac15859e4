import { expect } from 'vitest';
import { createBreakers } from '../../../pipeline/collect/breaker.ts';
import type { SourceContext } from '../../../pipeline/collect/collect.ts';
import { SourceError } from '../../../pipeline/errors.ts';
import type { UpstreamRequest } from '../../../pipeline/network/fetcher.ts';

/** An invented upstream answer; an object is sent as JSON. */
export interface CannedAnswer {
  status?: number;
  headers?: Record<string, string>;
  body?: string | object;
}

export const token = 'invented-token-9f2c';

/** A context whose fetcher gives the answers one after the other, counts the requests and fails on one too many. */
export function canned(...answers: CannedAnswer[]): { context: SourceContext; requests: UpstreamRequest[] } {
  const requests: UpstreamRequest[] = [];
  const context: SourceContext = {
    breakers: createBreakers({ enabled: false }),
    config: {
      youtube_api_key: null,
      instagram_graph_token: token,
      instagram_graph_user_id: '17841400000000001',
      meta_adlibrary_token: null,
      x_bearer_token: null,
      keyless: () => true,
    },
    now: () => new Date('2026-11-20T10:00:00.000Z'),
    signal: new AbortController().signal,
    async fetch(request) {
      requests.push(request);
      const answer = answers[requests.length - 1];
      if (answer === undefined) throw new Error(`one request too many: ${request.url}`);
      const { status = 200, headers = {}, body = '' } = answer;
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      return { status, url: request.url, headers, body: Buffer.from(text) };
    },
  };
  return { context, requests };
}

/** The SourceError that a collect ends with; fails when it ends with anything else. */
export async function refusalOf(collected: Promise<unknown>): Promise<SourceError> {
  const error = await collected.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof SourceError)) throw error ?? new Error('nothing was refused');
  const said = [error.message, error.reason, String(error.cause ?? ''), error.stack].join('\n');
  expect(said).not.toContain(token);
  return error;
}
