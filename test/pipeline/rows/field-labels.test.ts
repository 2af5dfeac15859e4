import { describe, expect, test } from 'vitest';
import { fieldLabel, formerLabel } from '../../../pipeline/rows/field-labels.ts';

describe('headings of columns', () => {
  test.each([
    ['account_id', 'Account ID'],
    ['retrieved_at', 'Retrieved at (UTC)'],
    ['followers_change_percent', 'Followers change (%)'],
    ['followers_quality', 'Followers: exact or rounded'],
    ['total_views_quality', 'Channel views: exact or rounded'],
    ['quality', 'Exact or rounded'],
    ['created_at_platform', 'Account created (UTC)'],
  ])('the column %s has the heading "%s"', (column, heading) => {
    expect(fieldLabel(column)).toBe(heading);
  });

  test('the headings of earlier versions are known, so that tables with them are continued', () => {
    expect(['counts_quality', 'created_at_platform', 'url'].map(formerLabel)).toEqual([
      'Counts quality',
      'Created on platform (UTC)',
      'URL',
    ]);
  });
});
