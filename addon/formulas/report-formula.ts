import { type Answer, askAll, asObject, deadlineOf, type Failure, type Server } from '../platform/client.ts';
import { type Cell, formulaCell } from '../platform/grid.ts';
import { isId } from './arguments.ts';
import { knownWord, nearest, readWords } from './fields.ts';
import { isReport, type Report, reportSections, reportTable, type SectionTable } from './report-tables.ts';
import { noData, noKey, unreadable } from './tables.ts';

/** The arguments of the formula as Sheets hands them over. */
export type ReportQuestion = { campaign: unknown; section: unknown };

/**
 * One section of a campaign's report: a heading row, then its rows, each after its status. When there is no report the
 * one row has the code and, beside it, the sentence.
 *
 * @throws Error only for a formula that must be typed differently, before anything is asked.
 */
export function socialReport(question: ReportQuestion, server: Server): Cell[][] {
  const campaign = readCampaign(question.campaign);
  const [word = 'totals', second] = readWords(question.section);
  if (second !== undefined) throw new Error('Name one section.');
  const section = knownWord(word, reportSections, 'section');
  if (campaign === '') return [['']];
  const { report, failure } = askReport(campaign, server);
  const table = reportTable(section, report ?? {});
  if (failure !== undefined) return failedTable(table, failure);
  if (table.rows.length === 0) return failedTable(table, noData);
  return [heading(table), ...table.rows.map((row) => ['OK', ...row.map(formulaCell)])];
}

function readCampaign(asked: unknown): string {
  const cells = [asked].flat(2);
  const [cell] = cells;
  if (cells.length !== 1 || cell === undefined || cell instanceof Date) {
    throw new Error('Name one campaign by its id or its exact name, as text.');
  }
  return String(cell ?? '').trim();
}

function heading({ columns }: SectionTable): string[] {
  return ['status', ...columns];
}

/** Every section begins with two columns of text, so that neither the code nor the sentence stands among numbers. */
function failedTable(table: SectionTable, { code, message }: Failure): Cell[][] {
  const headings = heading(table);
  return [headings, headings.map((_, index) => [code, message][index] ?? '')];
}

type Asked = { report: Report; failure?: undefined } | { report?: undefined; failure: Failure };

/** Both requests, the one that finds the name and the one for the report, share one formula's time. */
function askReport(campaign: string, { key, network, origin }: Server): Asked {
  if (key === null) return { failure: noKey };
  const deadlineMs = deadlineOf(network);
  const ask = (path: string): Answer =>
    askAll([`${origin}${path}`], key, network, { deadline_ms: deadlineMs })[0] ?? noAnswer;
  const id = isId(campaign) ? campaign : findCampaign(campaign, ask('/v1/workflows/campaigns'));
  if (typeof id !== 'string') return { failure: id };
  const answer = ask(`/v1/workflows/campaign-report?id=${encodeURIComponent(id)}`);
  if (!answer.ok) return { failure: answer.failure };
  const report = asObject(answer.data);
  return report !== null && isReport(report) ? { report } : { failure: unreadable };
}

const noAnswer: Answer = { ok: false, failure: unreadable };

/** The id of the one campaign of that name. */
function findCampaign(name: string, answer: Answer): string | Failure {
  if (!answer.ok) return answer.failure;
  const items = asObject(answer.data)?.items;
  if (!Array.isArray(items)) return unreadable;
  const campaigns = items.map((item) => ({
    id: String(asObject(item)?.id),
    name: String(asObject(item)?.name).trim(),
  }));
  const ids = campaigns.flatMap((campaign) => (campaign.name === name ? [campaign.id] : []));
  const [id] = ids;
  if (id === undefined)
    return unknownCampaign(
      name,
      campaigns.map((campaign) => campaign.name),
    );
  if (ids.length === 1) return id;
  return {
    code: 'CAMPAIGN_NAME_NOT_UNIQUE',
    message: `${ids.length} campaigns have this name: give the id of one, such as ${id}.`,
  };
}

function unknownCampaign(name: string, names: readonly string[]): Failure {
  const hint = names.length === 0 ? 'The workspace has none yet.' : `Did you mean "${nearest(name, names)}"?`;
  return { code: 'CAMPAIGN_NOT_FOUND', message: `There is no campaign of this name. ${hint}` };
}
