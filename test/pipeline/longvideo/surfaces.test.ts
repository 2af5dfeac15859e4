import { expect, test } from 'vitest';
import { surfacesOfService } from '../../../pipeline/longvideo/surfaces.ts';
import { invented } from './upstream.ts';

test('two services in one process do not share the quota counter and the web session of YouTube', () => {
  const [one, other] = [invented({}), invented({})].map(({ context }) => context);
  if (one === undefined || other === undefined) throw new Error('Two contexts are needed.');
  expect(surfacesOfService(one)).toBe(surfacesOfService({ ...one }));
  expect(surfacesOfService(one)).not.toBe(surfacesOfService(other));
});
