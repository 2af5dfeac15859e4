/**
 * The kinds of messages to which a recipient can subscribe, with their labels in the dashboard. Alerts are not
 * included, because each alert rule has its own recipients.
 */
export const recipientTopics = {
  weekly_report: 'Weekly report of each campaign, on Monday',
  daily_digest: 'Daily summary: biggest changes and failed checks',
  weekly_digest: 'Weekly summary: biggest changes and failed checks',
  failures: 'Failures: sheet imports, spreadsheets and webhooks, at most once a day',
  batch_finished: 'A bulk analysis is finished',
} as const;

export type RecipientTopic = keyof typeof recipientTopics;

/** All kinds of messages in the message log, with their labels in the dashboard. */
export const messageKinds: Readonly<Record<string, string>> = {
  alert: 'Alert',
  weekly_report: 'Weekly report',
  daily_digest: 'Daily summary',
  weekly_digest: 'Weekly summary',
  failures: 'Failures',
  batch_finished: 'Bulk analysis',
  confirmation: 'Confirmation',
  test: 'Test',
};
