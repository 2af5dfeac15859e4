import { expect, test } from 'vitest';
import { describeCondition } from '../../../pipeline/alerts/sentences.ts';

test('the condition of an alert rule shows its percentage with all of its decimals', () => {
  const rule = { condition: 'change', metric: 'views', direction: 'up', amount: 1.25, days: 7, checks: null } as const;
  expect(describeCondition(rule)).toBe('views rise by 1.25% or more in 7 days');
});
