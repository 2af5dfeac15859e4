import { html } from 'hono/html';
import { listRecipients, type Recipient } from '../../../db/alerts/recipients.ts';
import { type AlertCondition, addRule, alertConditions, maxRules } from '../../../db/alerts/rules.ts';
import { listCampaigns } from '../../../db/campaigns/campaigns.ts';
import { metrics } from '../../../db/schema/metrics.ts';
import { listItems, listLists } from '../../../db/tracking/items.ts';
import { type RuleInput, readRule } from '../../../pipeline/alerts/read-rule.ts';
import { metricWord } from '../../../pipeline/alerts/sentences.ts';
import { card, field, form, notice, type Piece, select } from '../ui/components.ts';
import { type FormVisit, type Page, redirect, text, type Visit } from '../ui/section.ts';
import { type AlertsDeps, area, recipientName } from './shared.ts';

const conditionNames: Record<AlertCondition, readonly [label: string, hint: string]> = {
  change: ['A number changes', 'For example followers fall by 5% in a week.'],
  above: ['A number rises above a value', 'For example views reach a million.'],
  below: ['A number falls below a value', 'For example followers fall under 10,000.'],
  not_found: ['An item is not found', 'It was deleted or renamed.'],
  handle_changed: ['A handle is taken over', 'The handle now belongs to another account.'],
  failing: ['Checks keep failing', 'Several checks in a row had an error.'],
};

/** Returns the page for a new rule. The condition is chosen first, by a link, so that the form has only the fields that it needs. */
export async function newRulePage(visit: Visit | FormVisit, deps: AlertsDeps, problem: Problem | null): Promise<Page> {
  const typed = 'form' in visit ? visit.form : null;
  const chosen = typed ? text(typed, 'condition') : (visit.url.searchParams.get('condition') ?? '');
  const condition = alertConditions.find((one) => one === chosen);
  const content = condition ? await ruleForm(visit, deps, condition, problem) : conditionList(visit.url.searchParams);
  return { title: 'New alert rule', content: html`${content}`, status: problem ? 400 : 200 };
}

interface Problem {
  field: string | null;
  message: string;
}

function conditionList(query: URLSearchParams): Piece {
  const scope = query.get('scope');
  const rows = alertConditions.map((condition) => {
    const [label, hint] = conditionNames[condition];
    const address = new URLSearchParams({ condition, ...(scope ? { scope } : {}) });
    return html`<li><a href="${area}/rules?${address.toString()}"><b>${label}</b></a><br><span class="hint">${hint}</span></li>`;
  });
  return card('Alert me when', html`<ul class="choices">${rows}</ul>`);
}

async function ruleForm(
  visit: Visit | FormVisit,
  { db }: AlertsDeps,
  condition: AlertCondition,
  problem: Problem | null,
): Promise<Piece> {
  const { workspace_id } = visit.visitor;
  const typed = 'form' in visit ? visit.form : null;
  const recipients = await listRecipients(db.sql, workspace_id);
  const value = (name: string, standard: string) => (typed ? text(typed, name) : standard);
  const error = (name: string) => (problem?.field === name ? problem.message : null);
  const number = (label: string, name: string, standard: string, hint?: string) =>
    field(label, name, { value: value(name, standard), required: true, error: error(name), ...(hint ? { hint } : {}) });
  const [label] = conditionNames[condition];
  const scope = typed ? text(typed, 'scope') : (visit.url.searchParams.get('scope') ?? 'all');
  const checked = typed ? typed.getAll('recipient_ids').map(String) : ownIds(recipients, visit);
  return card(label, [
    problem && problem.field === null ? notice(problem.message, 'bad') : null,
    form(
      `${area}/rules`,
      [
        html`<input type="hidden" name="condition" value="${condition}">`,
        field('Name', 'name', { value: value('name', label), required: true, maxlength: 80, error: error('name') }),
        select('Watch', 'scope', await scopeChoices(workspace_id, db.sql), { value: scope }),
        ...comparedFields(condition, value, number),
        number('Quiet time after an alert, in hours', 'cooldown_hours', '24', 'For the same item. 0 = no quiet time.'),
        recipientBoxes(recipients, checked),
      ],
      'Create rule',
    ),
  ]);
}

/** Returns the recipients that are ticked at first: the user's own address. A client never gets alerts by accident. */
function ownIds(recipients: readonly Recipient[], { visitor }: Visit): string[] {
  const own = recipients.filter(({ address }) => address === visitor.email.toLowerCase());
  return own.map(({ recipient_id }) => recipient_id);
}

type NumberField = (label: string, name: string, standard: string, hint?: string) => Piece;

function comparedFields(
  condition: AlertCondition,
  value: (name: string, standard: string) => string,
  number: NumberField,
): Piece[] {
  const words = metrics.map((metric) => [metric, capital(metricWord(metric))] as const);
  const metric = select('Number', 'metric', words, {
    value: value('metric', 'followers'),
    hint: 'Items without this number are left out. A rounded number is never compared with an exact one.',
  });
  if (condition === 'change') {
    const directions = [
      ['both', 'rises or falls'],
      ['up', 'rises'],
      ['down', 'falls'],
    ] as const;
    return [
      metric,
      select('Direction', 'direction', directions, { value: value('direction', 'both') }),
      number('By at least, in per cent', 'amount', '10'),
      number('Within days', 'days', '7'),
    ];
  }
  if (condition === 'above' || condition === 'below') return [metric, number('Value', 'amount', '10000')];
  return condition === 'failing' ? [number('Failed checks in a row', 'checks', '3')] : [];
}

const capital = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

async function scopeChoices(workspaceId: string, sql: AlertsDeps['db']['sql']): Promise<[string, string][]> {
  const [items, lists, campaigns] = await Promise.all([
    listItems(sql, workspaceId),
    listLists(sql, workspaceId),
    listCampaigns(sql, workspaceId),
  ]);
  return [
    ['all', 'All items'],
    ...lists.map(({ list_id, name }): [string, string] => [`list:${list_id}`, `List: ${name}`]),
    ...campaigns.map(({ campaign_id, name }): [string, string] => [`campaign:${campaign_id}`, `Campaign: ${name}`]),
    ...items.map(({ item_id, name, url }): [string, string] => [`item:${item_id}`, `Item: ${name ?? url}`]),
  ];
}

function recipientBoxes(recipients: readonly Recipient[], checked: readonly string[]): Piece {
  if (recipients.length === 0)
    return html`<p class="hint">No recipients yet: alerts are then only sent to webhooks. <a href="${area}">Add a recipient</a></p>`;
  const boxes = recipients.map(
    (one) =>
      html`<label class="check"><input type="checkbox" name="recipient_ids" value="${one.recipient_id}" ${checked.includes(one.recipient_id) ? 'checked' : ''}><span>${recipientName(one)}</span></label>`,
  );
  return html`<fieldset class="field"><legend>Send alerts to</legend>${boxes}</fieldset>`;
}

const inputNames = ['name', 'scope', 'condition', 'metric', 'direction', 'amount', 'days', 'checks', 'cooldown_hours'];

/** Creates the rule that the form describes. */
export async function createRule(visit: FormVisit, deps: AlertsDeps): Promise<Page | Response> {
  const { workspace_id } = visit.visitor;
  const known = new Set((await listRecipients(deps.db.sql, workspace_id)).map(({ recipient_id }) => recipient_id));
  const recipientIds = visit.form.getAll('recipient_ids').map(String);
  const fields = Object.fromEntries(inputNames.map((name) => [name, text(visit.form, name)]));
  const input = { ...fields, recipient_ids: recipientIds.filter((id) => known.has(id)) } as unknown as RuleInput;
  const read = readRule(input);
  if (!read.ok) return newRulePage(visit, deps, read);
  const scopeId = read.rule.scope_id;
  const possible = scopeId === null || /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(scopeId);
  const ruleId = possible ? await addRule(deps.db.sql, workspace_id, read.rule, deps.now()) : null;
  if (ruleId !== null) return redirect(area, 'rule-made');
  const message = `The rule was not created: a workspace can have ${maxRules} rules, and the watched items must still exist.`;
  return newRulePage(visit, deps, { field: null, message });
}
