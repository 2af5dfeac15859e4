/** The messages that a recipient can subscribe to, besides alerts, with their labels on the page. */
export const recipientTopics = {
  weekly_report: 'Weekly report of each campaign, on Monday',
  daily_digest: 'Daily summary: biggest changes and failed checks',
  weekly_digest: 'Weekly summary: biggest changes and failed checks',
  failures: 'Scheduled work that failed, at most once a day',
  batch_finished: 'A bulk analysis is finished',
} as const;

export type RecipientTopic = keyof typeof recipientTopics;

/** The kinds of messages in the log, with their labels on the page. */
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
