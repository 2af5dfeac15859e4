import { expect, test } from 'vitest';
import { auditDays } from '../../pipeline/jobs/cleanup.ts';
import { maxHistoryDays } from '../../pipeline/tiers.ts';
import { readConfig } from '../../server/config.ts';
import { privacyPage, termsPage } from '../../server/dashboard/legal.ts';

const operator = { name: 'Tide & Co', email: 'privacy@social.example' };

test('the pages for privacy and terms name the operator and the address from the environment', async () => {
  const config = readConfig({ OPERATOR_NAME: operator.name, CONTACT_EMAIL: operator.email });
  expect(config.operator).toEqual(operator);
  for (const page of [await privacyPage(config.operator), await termsPage(config.operator)]) {
    expect(String(page)).toContain('Tide &amp; Co');
    expect(String(page)).toContain('mailto:privacy@social.example');
  }
});

test('without an operator in the environment, the pages for privacy and terms say whom to ask', async () => {
  const { operator: unknown } = readConfig({});
  expect(unknown).toEqual({ name: null, email: null });
  for (const page of [await privacyPage(unknown), await termsPage(unknown)]) {
    expect(String(page)).toContain('the person or organization that gave you');
    expect(String(page)).not.toContain('null');
  }
});

test('the privacy page states the times after which the cleanup deletes history and the audit log', async () => {
  const page = String(await privacyPage(operator));
  expect(page).toContain(`numbers of checks ${maxHistoryDays} days`);
  expect(page).toContain(`IP address and device</td><td>security of the workspace</td><td>${auditDays} days`);
});

test('a CONTACT_EMAIL that is not an email address is refused at startup', () => {
  expect(() => readConfig({ CONTACT_EMAIL: 'me at home' })).toThrow('CONTACT_EMAIL must be an email address');
});
