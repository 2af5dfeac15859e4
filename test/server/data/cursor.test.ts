import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Cursor } from '../../../pipeline/collect/list-cursor.ts';
import { createCursorSeal } from '../../../server/data/cursor.ts';

const clock = { now: new Date('2026-11-20T10:00:00.000Z') };
const cursors = createCursorSeal('ab'.repeat(32), () => clock.now);
const sourceCursor: Cursor = { source: 'instagram-web', at: { anchor: '1' } };
const page: Cursor = {
  page_id: '0190a1b2-0000-7000-8000-000000000000',
  offset: 3,
  kept_at: clock.now.getTime(),
  paid_by: '0190a1b2-0000-7000-8000-000000000001',
  again: null,
};

const codeOf = (act: () => unknown) => {
  try {
    act();
    return 'opened';
  } catch (error) {
    return (error as { code?: string }).code;
  }
};

describe('a sealed cursor of a list', () => {
  test('a sealed cursor opens to its content for the same request', () => {
    expect(cursors.open(cursors.seal(sourceCursor, 'request'), 'request')).toEqual(sourceCursor);
  });

  test('a sealed cursor does not reveal its content', () => {
    expect(Buffer.from(cursors.seal(sourceCursor, 'request'), 'base64url').toString('latin1')).not.toContain('anchor');
  });

  test('a sealed cursor that is used with another request is INVALID_INPUT', () => {
    expect(codeOf(() => cursors.open(cursors.seal(sourceCursor, 'request'), 'other'))).toBe('INVALID_INPUT');
  });

  test('a sealed cursor that is changed anywhere, or was sealed with another secret, is INVALID_INPUT', () => {
    const sealed = cursors.seal(sourceCursor, 'request');
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = `${sealed.slice(0, at)}${sealed[at] === 'A' ? 'B' : 'A'}${sealed.slice(at + 1)}`;
      expect(codeOf(() => cursors.open(changed, 'request'))).toBe('INVALID_INPUT');
    }
    fc.assert(fc.property(fc.string(), (text) => codeOf(() => cursors.open(text, 'request')) === 'INVALID_INPUT'));
  });

  test('a sealed cursor of a stored page expires after ten minutes with CURSOR_EXPIRED', () => {
    const sealed = cursors.seal(page, 'request');
    clock.now = new Date(clock.now.getTime() + 10 * 60_000 - 1);
    expect(cursors.open(sealed, 'request')).toEqual(page);
    clock.now = new Date(clock.now.getTime() + 1);
    expect(codeOf(() => cursors.open(sealed, 'request'))).toBe('CURSOR_EXPIRED');
  });
});
