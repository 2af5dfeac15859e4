import { expect } from 'vitest';
import { createBreakers } from '../../../pipeline/collect/breaker.ts';
import type { SourceContext } from '../../../pipeline/collect/collect.ts';
import { SourceError } from '../../../pipeline/errors.ts';
import type { UpstreamRequest } from '../../../pipeline/network/fetcher.ts';

/** An invented answer of a platform. An object as `body` is sent as JSON. */
export interface FixedAnswer {
  status?: number;
  headers?: Record<string, string>;
  body?: string | object;
}

export const token = 'invented-token-9f2c';

/**
 * Returns a source context whose fetcher sends these answers in order and records the requests. The fetcher fails when
 * no answer is left.
 */
export function fixedAnswers(...answers: FixedAnswer[]): { context: SourceContext; requests: UpstreamRequest[] } {
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
      if (answer === undefined) throw new Error(`too many requests: ${request.url}`);
      const { status = 200, headers = {}, body = '' } = answer;
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      return { status, url: request.url, headers, body: Buffer.from(text) };
    },
  };
  return { context, requests };
}

/**
 * Returns the SourceError of a collect call, which must fail. Fails the test for any other result, and when the error
 * contains the token.
 */
export async function refusalOf(collected: Promise<unknown>): Promise<SourceError> {
  const error = await collected.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof SourceError)) throw error ?? new Error('expected a SourceError');
  const texts = [error.message, error.reason, String(error.cause ?? ''), error.stack].join('\n');
  expect(texts).not.toContain(token);
  return error;
}
