import { expect, test } from 'vitest';
import { invented, inventedAddress } from '../../../pipeline/sample/items.ts';
import { trackable } from '../../../pipeline/tracking/tracked-kinds.ts';

test.each(invented.map((one) => [inventedAddress(one), one] as const))(
  'the item of the sample workspace at %s has the identifier that an item with this URL gets',
  (url, { platform, kind, handle }) => {
    expect(trackable(url)).toEqual({ ok: true, item: { platform, kind, identifier: handle } });
  },
);
