import { describe, expect, test } from 'vitest';
import type { Collected } from '../../../pipeline/collect/collect.ts';
import { type ListPage, listAnswer, listPage, withoutFirst } from '../../../pipeline/collect/list-page.ts';

const about = (row: number) => `${row}.likes could not be read and is null.`;
const ofAll = 'The platform says that rows are missing.';

const pageWith = (more: Partial<Collected<unknown>>): ListPage =>
  listPage(
    {
      record: Array.from({ length: 15 }, (_, row) => ({ id: `${row}` })),
      source: 'invented',
      retrieved_at: '2026-11-20T10:00:00.000Z',
      partial: true,
      quality: {},
      warnings: [about(2), about(12)],
      next: null,
      ...more,
    },
    null,
  );

const metaOf = (page: ListPage, offset: number, limit = 3) => {
  const { partial, warnings } = listAnswer(page, { offset, limit, next_cursor: 'more' }).content.meta;
  return { partial, warnings };
};

describe('warnings about rows of a page', () => {
  test('an answer has only the warnings about its own rows, with their index in the answer', () => {
    expect(metaOf(pageWith({}), 0)).toEqual({ partial: true, warnings: [about(2)] });
    expect(metaOf(pageWith({}), 2)).toEqual({ partial: true, warnings: [about(0)] });
    expect(metaOf(pageWith({}), 10, 5)).toEqual({ partial: true, warnings: [about(2)] });
  });

  test('an answer without incomplete rows is not partial', () => {
    expect(metaOf(pageWith({}), 3)).toEqual({ partial: false, warnings: [] });
  });

  test('a warning about the whole page is in every answer with its rows', () => {
    const page = pageWith({ warnings: [ofAll, about(12)] });
    expect(metaOf(page, 0)).toEqual({ partial: true, warnings: [ofAll] });
    expect(metaOf(page, 12)).toEqual({ partial: true, warnings: [ofAll, about(0)] });
  });

  test('the warnings of a stored page name its remaining rows', () => {
    const rest = withoutFirst(pageWith({}), 10);
    expect(rest.warnings).toEqual([about(2)]);
    expect(metaOf(rest, 0)).toEqual({ partial: true, warnings: [about(2)] });
  });
});
