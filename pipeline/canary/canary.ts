import { listOperators } from '../../db/accounts/operators.ts';
import { dayMs } from '../../db/durations.ts';
import {
  type CanaryKey,
  type CanaryState,
  storeCanary,
  syncSubjects,
  takeDueSubjects,
} from '../../db/requests/canary.ts';
import { collect } from '../collect/collect.ts';
import { SourceError } from '../errors.ts';
import { mailAll, type SendMail } from '../notify/mail.ts';
import { serviceMail } from '../notify/service-mail.ts';
import type { JobContext } from '../queue/job.ts';
import { differencesOf } from './compare.ts';
import { canaryCollector, type Subject } from './subjects.ts';

export interface CanarySettings {
  subjects: readonly Subject[];
  /** Maximum number of canary requests per day, for all processes together. */
  daily_requests: number;
}

/** Maximum number of canary requests in one run of the job. */
const subjectsARun = 5;
/**
 * Number of consecutive wrong or failed results after which the operators of this server get an email. The next correct
 * result sends another email.
 */
const failuresToMail = 2;

type CanaryContext = Pick<JobContext, 'db' | 'now' | 'sources' | 'base_url' | 'log' | 'signal'>;

/**
 * The result of one canary request. `state` is null when the request was not sent, because this server has no usable
 * source for it. In this case, no result is stored.
 */
interface Checked {
  state: CanaryState | null;
  detail: string | null;
  source: string | null;
}

/**
 * Sends the canary requests that are due, compares the answers with the expected values and stores the results. All
 * subjects (well-known public accounts and posts) together are requested `daily_requests` times per day, each equally
 * often.
 */
export async function runCanary(
  { subjects, daily_requests }: CanarySettings,
  context: CanaryContext,
  mail: SendMail,
): Promise<void> {
  const { db, now } = context;
  const interval = { now: now(), interval_ms: (subjects.length * dayMs) / daily_requests };
  const keys = subjects.map(({ collector, name }) => ({ collector, subject: name }));
  await syncSubjects(db.sql, keys, interval);
  for (const key of await takeDueSubjects(db.sql, { ...interval, limit: subjectsARun })) {
    if (context.signal.aborted) return;
    const subject = subjects.find(({ collector, name }) => collector === key.collector && name === key.subject);
    if (subject) await report(key, await checkSubject(subject, context), context, mail);
  }
}

/**
 * Requests one subject of the canary (a well-known public account or post) and compares the answer with the expected
 * values. An error of the platform becomes the result `failed`. Throws only errors that are bugs.
 */
export async function checkSubject(
  subject: Subject,
  { sources, signal }: Pick<CanaryContext, 'sources' | 'signal'>,
): Promise<Checked> {
  const collector = canaryCollector(subject.collector);
  const isUsable = collector?.sources.some(({ name, credentials }) =>
    credentials === null ? sources.config.keyless(name) : credentials(sources.config),
  );
  if (!collector || !isUsable) return { state: null, detail: null, source: null };
  try {
    const answer = await collect(collector, collector.params.parse(subject.params), { ...sources, signal });
    const differences = differencesOf(subject, answer);
    const detail = differences.length > 0 ? differences.join('; ') : null;
    return { state: detail === null ? 'right' : 'wrong', detail, source: answer.source };
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return { state: 'failed', detail: error.code, source: null };
  }
}

async function report(key: CanaryKey, checked: Checked, context: CanaryContext, mail: SendMail): Promise<void> {
  const { db, now, log } = context;
  const { state } = checked;
  if (state === null) return;
  const { before, failures } = await storeCanary(db.sql, { ...key, ...checked, checked_at: now() });
  if (state !== 'right') log.warn({ ...key, ...checked, failures }, 'a canary request failed or had a wrong answer');
  const turnedBad = failures === failuresToMail && before < failuresToMail;
  const turnedGood = failures === 0 && before >= failuresToMail;
  if (!turnedBad && !turnedGood) return;
  const operators = await listOperators(db.sql);
  const mails = operators.map(({ email }) => mailOf(email, key, checked, context.base_url));
  for (const err of await mailAll(mails, mail))
    log.error({ err, ...key }, 'an email about a canary request could not be sent');
}

function mailOf(to: string, { collector, subject }: CanaryKey, { state, detail }: Checked, baseUrl: string) {
  const name = `${collector} (${subject})`;
  const action = { label: 'Status', url: `${baseUrl}/status` };
  if (state === 'right') {
    const lines = [`The answer to the canary request ${name} is right again.`];
    return serviceMail(to, { subject: `${collector} is right again`, lines, action });
  }
  const result =
    state === 'wrong'
      ? `The answer to the canary request ${name} differs from the expected values: ${detail}.`
      : `The canary request ${name} failed with the error ${detail}.`;
  const lines = [
    result,
    'A canary request is a regular test of this server with well-known public data.',
    'The platform may have changed its pages, or it blocks this server. Customers who request the same kind of data are probably affected. Errors are not charged.',
  ];
  return serviceMail(to, {
    subject: `${collector} ${state === 'wrong' ? 'gives wrong answers' : 'fails'}`,
    ...{ lines, action },
  });
}
