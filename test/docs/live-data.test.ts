import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalog } from '../../server/data/catalog.ts';
import { routePage } from '../../server/docs/reference/route-page.ts';
import { openApi } from '../../server/openapi/document.ts';
import { exampleQuery } from '../server/data/queries.ts';
import { inventedUpstream } from '../server/invented-upstream.ts';
import { createTestService, type TestKeys, type TestService } from '../server/test-service.ts';

const credentials = {
  YOUTUBE_API_KEY: 'x',
  META_ADLIBRARY_TOKEN: 'x',
  INSTAGRAM_GRAPH_TOKEN: 'x',
  X_BEARER_TOKEN: 'x',
};
const document = openApi('http://tidemark.test') as { paths: Record<string, { get: { description: string } }> };

let service: TestService;
let keys: TestKeys;
beforeAll(async () => {
  service = await createTestService({ fetch: inventedUpstream().fetch, env: credentials });
  keys = await service.workspace(1000);
});
afterAll(() => service.close());

test.each(catalog)('the reference and the API document say whether $path returns live data', async (route) => {
  const estimate = await service.ask(`${route.path}?${exampleQuery(route)}&estimate=true`, keys.live_key);
  const isLive = estimate.status === 200 && JSON.parse(estimate.text).data.cost > 0;
  const page = String(await routePage(route, 'http://tidemark.test', []));
  const label = />([^<]*)<\/span> · <b>/.exec(page)?.[1];
  const { description = '' } = document.paths[route.path]?.get ?? {};
  if (isLive) {
    expect(label).toMatch(/^Live data/);
    expect(description).not.toMatch(/error 50[13]/);
    return;
  }
  const { status } = await service.ask(`${route.path}?${exampleQuery(route)}`, keys.live_key);
  expect([501, 503]).toContain(status);
  expect([label, description]).toEqual([
    expect.stringMatching(`error ${status}$`),
    expect.stringMatching(`error ${status} and `),
  ]);
});
