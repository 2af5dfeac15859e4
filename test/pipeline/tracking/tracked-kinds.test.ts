import { describe, expect, test } from 'vitest';
import { accountIdentity } from '../../../pipeline/tracking/tracked-kinds.ts';

function nameOf(platform: string, kind: string, record: Record<string, unknown>): string | null {
  return accountIdentity(platform, kind, { record, source: 'test', warnings: [], quality: {} } as never).name;
}

describe('the name of a tracked item', () => {
  test('two posts of one account have different names: the author and the beginning of the caption', () => {
    const post = (caption: unknown) => nameOf('photo', 'post', { author: 'tide.pool', caption });
    expect(post('Crabs at dawn\n\n#tide')).toBe('tide.pool: Crabs at dawn #tide');
    expect(post('Low tide')).toBe('tide.pool: Low tide');
    expect(nameOf('shortvideo', 'video', { author: 'kelp', caption: 'Otters' })).toBe('kelp: Otters');
  });

  test('a long caption is cut after 60 characters, and never inside of an emoji', () => {
    const name = nameOf('photo', 'post', { author: 'a', caption: `${'x'.repeat(59)}🦀🦀` });
    expect(name).toBe(`a: ${'x'.repeat(59)}…`);
    expect(nameOf('photo', 'post', { author: 'a', caption: 'y'.repeat(60) })).toBe(`a: ${'y'.repeat(60)}`);
  });

  test('a post without a caption has the name of its author, and one without an author that of its caption', () => {
    expect(nameOf('photo', 'post', { author: 'tide.pool', caption: ' \n' })).toBe('tide.pool');
    expect(nameOf('photo', 'post', { author: 'tide.pool', caption: null })).toBe('tide.pool');
    expect(nameOf('shortvideo', 'video', { author: null, caption: 'Otters' })).toBe('Otters');
    expect(nameOf('shortvideo', 'video', { author: null, caption: null })).toBeNull();
  });

  test('an account has its handle as name, and a YouTube video its title', () => {
    expect(nameOf('photo', 'profile', { username: 'tide.pool', display_name: 'Tide' })).toBe('tide.pool');
    expect(nameOf('longvideo', 'video', { title: 'Otters', author: 'Kelp', caption: 'x' })).toBe('Otters');
  });
});
