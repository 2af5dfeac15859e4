import { knownWord, nearest } from '../known-word.ts';
import { type Answer, asObject, deadlineOf, type Failure, fetchAnswers, type Server } from '../platform/client.ts';
import { failureSentence } from '../platform/failure-sentence.ts';
import { type Cell, formulaCell } from '../platform/grid.ts';
import { isId } from './arguments.ts';
import { readNames } from './fields.ts';
import type { FormulaOffer } from './offer.ts';
import { isReport, type Report, reportSections, reportTable, type SectionTable } from './report-tables.ts';
import { noData, noKeyFor, unreadable } from './tables.ts';

/**
 * Gets a campaign's newest finished weekly report, below a row of headings; before the first week has ended, the current
 * week. Free. Dates are text in UTC; weeks begin on Monday 00:00 UTC. An unknown value is an empty cell.
 *
 * @param {"Spring launch"} campaign The campaign's exact name, or its ID.
 * @param {"totals"} section totals, items, series, notes or coverage. Empty: totals.
 * @param {"H1"} refresh Optional: the refresh cell (SOCIAL_REFRESH), or any cell. When it changes, the formula runs again.
 * @return {Array<Array<string|number|boolean>>} A row of headings, then the rows of the section.
 * @customfunction
 */
export function SOCIAL_REPORT(api: Server, campaign: unknown, section: unknown, _refresh: unknown): Cell[][] {
  return reportSection(campaign, section, api);
}

/**
 * Returns one section of a campaign's weekly report as a table.
 *
 * @throws Error, before any request, when an argument is not valid.
 */
function reportSection(campaignCell: unknown, sectionCell: unknown, api: Server): Cell[][] {
  const campaign = readCampaign(campaignCell);
  const [word = 'totals', second] = readNames(sectionCell);
  if (second !== undefined) throw new Error('The argument section has more than one word. Enter one section.');
  const section = knownWord(word, reportSections, 'section');
  if (campaign === '') return [['']];
  const { report, failure } = fetchReport(campaign, api);
  const table = reportTable(section, report ?? {});
  if (failure !== undefined) return failedTable(table, failure);
  if (table.rows.length === 0) return failedTable(table, noData);
  return [heading(table), ...table.rows.map((row) => ['OK', ...row.map(formulaCell)])];
}

function readCampaign(argument: unknown): string {
  const cells = [argument].flat(2);
  const [cell] = cells;
  if (cells.length !== 1 || cell === undefined || cell instanceof Date) {
    throw new Error('Enter one campaign by its ID or its exact name, as text.');
  }
  return String(cell ?? '').trim();
}

function heading({ columns }: SectionTable): string[] {
  return ['status', ...columns];
}

/**
 * Returns the headings of the section and one row with the error code and the message. The code and the message are in
 * the first two columns, which contain text in every section.
 */
function failedTable(table: SectionTable, failure: Failure): Cell[][] {
  const headings = heading(table);
  return [headings, headings.map((_, index) => [failure.code, failureSentence(failure)][index] ?? '')];
}

type ReportResult = { report: Report; failure?: undefined } | { report?: undefined; failure: Failure };

/**
 * Finds the campaign by its name, then requests its report. The two requests together must end within the time that
 * Google allows a formula.
 */
function fetchReport(campaign: string, server: Server): ReportResult {
  const { key, network, origin } = server;
  if (key === null) return { failure: noKeyFor(server) };
  const deadlineMs = deadlineOf(network);
  const get = (path: string): Answer =>
    fetchAnswers([`${origin}${path}`], key, network, { deadline_ms: deadlineMs })[0] ?? noAnswer;
  const id = isId(campaign) ? campaign : findCampaign(campaign, get('/v1/workflows/campaigns'));
  if (typeof id !== 'string') return { failure: id };
  const answer = get(`/v1/workflows/campaign-report?id=${encodeURIComponent(id)}`);
  if (!answer.ok) return { failure: answer.failure };
  const report = asObject(answer.data);
  return report !== null && isReport(report) ? { report } : { failure: unreadable };
}

const noAnswer: Answer = { ok: false, failure: unreadable };

/**
 * Returns the ID of the campaign with this name. Returns a failure when no campaign or more than one campaign has the
 * name.
 */
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
    message: `${ids.length} campaigns have this name. Enter the ID of one, such as ${id}.`,
  };
}

function unknownCampaign(name: string, names: readonly string[]): Failure {
  const hint = names.length === 0 ? 'The workspace has no campaigns yet.' : `Did you mean "${nearest(name, names)}"?`;
  return { code: 'CAMPAIGN_NOT_FOUND', message: `There is no campaign of this name. ${hint}` };
}

export const offer: FormulaOffer = {
  order: 5,
  label: 'Campaign report',
  takes: '',
  args: ['campaign', 'section'],
  choices: [],
  usual: [],
  estimate: null,
  gives:
    'one part of the newest weekly report, with headings: totals, items, series (numbers over time), notes or coverage (on how many daily checks the numbers are based). Needs the tier Pro or higher',
  costs: '0',
};
