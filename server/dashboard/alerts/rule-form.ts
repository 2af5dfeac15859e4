import { html } from 'hono/html';
import { listRecipients, type Recipient } from '../../../db/alerts/recipients.ts';
import { type AlertCondition, type AlertRule, alertConditions, listRules } from '../../../db/alerts/rules.ts';
import { listCampaigns } from '../../../db/campaigns/campaigns.ts';
import { metrics } from '../../../db/schema/metrics.ts';
import { listItems } from '../../../db/tracking/items.ts';
import { listLists } from '../../../db/tracking/lists.ts';
import { metricName } from '../../../pipeline/tracking/metrics.ts';
import { card, field, form, notice, type Piece, select } from '../ui/components.ts';
import { at } from '../ui/forms/field-problem.ts';
import { type FormVisit, idOf, type Page, PageNotFound, text, type Visit } from '../ui/section.ts';
import { type AlertsDeps, alertsArea, recipientName } from './shared.ts';

const conditionNames: Record<AlertCondition, readonly [label: string, hint: string]> = {
  change: ['A number changes', 'For example followers fall by 5% in a week.'],
  above: ['A number rises above a value', 'For example views reach a million.'],
  below: ['A number falls below a value', 'For example followers fall under 10,000.'],
  not_found: ['An item is not found', 'It was deleted or, on Instagram and TikTok, renamed.'],
  handle_changed: ['A handle changes its owner', 'The handle now belongs to another account.'],
  failing: ['Checks keep failing', 'Several checks in a row had an error.'],
};

/**
 * Returns the page for a new alert rule. The user first chooses the condition with a link, so that the form has only
 * the fields for this condition.
 */
export async function newRulePage(
  visit: Visit | FormVisit,
  deps: AlertsDeps,
  problem: RuleProblem | null,
): Promise<Page> {
  const typed = 'form' in visit ? visit.form : null;
  const chosen = typed ? text(typed, 'condition') : (visit.url.searchParams.get('condition') ?? '');
  const condition = alertConditions.find((one) => one === chosen);
  const content = condition
    ? await ruleForm(visit, deps, { condition, rule: null }, problem)
    : conditionList(visit.url.searchParams);
  return { title: 'New alert rule', content: html`${content}`, status: problem ? 400 : 200 };
}

/**
 * Returns the page that changes an alert rule. The condition cannot be changed, because each condition needs its own
 * fields.
 */
export async function editRulePage(
  visit: Visit | FormVisit,
  deps: AlertsDeps,
  problem: RuleProblem | null,
): Promise<Page> {
  const ruleId = idOf(visit.params.rule_id);
  const rule = (await listRules(deps.db.sql, visit.visitor.workspace_id)).find(({ rule_id }) => rule_id === ruleId);
  if (!rule) throw new PageNotFound();
  const content = await ruleForm(visit, deps, { condition: rule.condition, rule }, problem);
  return { title: rule.name, content: html`${content}`, status: problem ? 400 : 200 };
}

/** Returns the value that the form field `name` shows for a stored alert rule. */
function storedValue(rule: AlertRule, name: string): string {
  if (name === 'scope') return rule.scope === 'all' ? 'all' : `${rule.scope}:${rule.scope_id}`;
  return String(rule[name as keyof AlertRule] ?? '');
}

/** The reason why an alert rule was refused. `field` is null when the reason applies to the whole form. */
export interface RuleProblem {
  field: string | null;
  message: string;
}

function conditionList(query: URLSearchParams): Piece {
  const scope = query.get('scope');
  const rows = alertConditions.map((condition) => {
    const [label, hint] = conditionNames[condition];
    const address = new URLSearchParams({ condition, ...(scope ? { scope } : {}) });
    return html`<li><a href="${alertsArea}/rules?${address.toString()}"><b>${label}</b></a><br><span class="hint">${hint}</span></li>`;
  });
  return card('Alert me when', html`<ul class="choices">${rows}</ul>`);
}

async function ruleForm(
  visit: Visit | FormVisit,
  { db }: AlertsDeps,
  { condition, rule }: { condition: AlertCondition; rule: AlertRule | null },
  problem: RuleProblem | null,
): Promise<Piece> {
  const { workspace_id } = visit.visitor;
  const typed = 'form' in visit ? visit.form : null;
  const recipients = await listRecipients(db.sql, workspace_id);
  const query = visit.url.searchParams;
  const value = (name: string, standard: string) =>
    typed ? text(typed, name) : rule ? storedValue(rule, name) : (query.get(name) ?? standard);
  const number = (label: string, name: string, standard: string, hint?: string) =>
    field(label, name, { value: value(name, standard), required: true, ...(hint ? { hint } : {}) });
  const [label] = conditionNames[condition];
  const scope = value('scope', 'all');
  const stored = rule?.recipient_ids ?? ownIds(recipients, visit);
  const checked = typed ? typed.getAll('recipient_ids').map(String) : stored;
  return card(label, [
    problem ? notice(at(problem.field, problem.message), 'bad') : null,
    form(
      rule ? `${alertsArea}/rules/${rule.rule_id}` : `${alertsArea}/rules`,
      [
        html`<input type="hidden" name="condition" value="${condition}">`,
        field('Name', 'name', { value: value('name', label), required: true, maxlength: 80 }),
        select('Watch', 'scope', await scopeChoices(workspace_id, db.sql, rule), { value: scope }),
        ...comparedFields(condition, value, number),
        number('Quiet time after an alert, in hours', 'cooldown_hours', '24', 'For the same item. 0 = no quiet time.'),
        recipientBoxes(recipients, checked, { visit, own: typed ? typed.has('own') : rule === null }),
      ],
      rule ? 'Save rule' : 'Create rule',
    ),
    rule
      ? null
      : html`<p class="hint"><a href="${alertsArea}/rules?${new URLSearchParams({ scope })}">Choose another kind of alert</a></p>`,
  ]);
}

/**
 * Returns the recipients that are selected at first in the form of a new alert rule: only the user's own address, so
 * that a customer of the user never gets alerts by accident.
 */
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
  const options = metrics.map((metric) => [metric, capital(metricName(metric))] as const);
  const metric = select('Number', 'metric', options, {
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

async function scopeChoices(
  workspaceId: string,
  sql: AlertsDeps['db']['sql'],
  rule: AlertRule | null,
): Promise<[string, string][]> {
  const [items, lists, campaigns] = await Promise.all([
    listItems(sql, workspaceId),
    listLists(sql, workspaceId),
    listCampaigns(sql, workspaceId),
  ]);
  // When the item, list or campaign of an alert rule was removed, the user must choose again. Otherwise the rule would
  // watch all items by accident.
  const removed: [string, string][] =
    rule && rule.scope !== 'all' && rule.scope_name === null ? [['', `Choose: the ${rule.scope} was removed`]] : [];
  return [
    ...removed,
    ['all', 'All items'],
    ...lists.map(({ list_id, name }): [string, string] => [`list:${list_id}`, `List: ${name}`]),
    ...campaigns.map(({ campaign_id, name }): [string, string] => [`campaign:${campaign_id}`, `Campaign: ${name}`]),
    ...items.map(({ item_id, name, url }): [string, string] => [`item:${item_id}`, `Item: ${name ?? url}`]),
  ];
}

function recipientBoxes(
  recipients: readonly Recipient[],
  checked: readonly string[],
  { visit, own }: { visit: Visit; own: boolean },
): Piece {
  const email = visit.visitor.email.toLowerCase();
  const ownBox = recipients.some(({ address }) => address === email)
    ? null
    : html`<label class="check"><input type="checkbox" name="own" ${own ? 'checked' : ''}><span>${email} (you)</span></label>`;
  const boxes = recipients.map(
    (one) =>
      html`<label class="check"><input type="checkbox" name="recipient_ids" value="${one.recipient_id}" ${checked.includes(one.recipient_id) ? 'checked' : ''}><span>${recipientName(one)}</span></label>`,
  );
  return html`<fieldset class="field"><legend>Send alerts to</legend>${ownBox}${boxes}<p class="hint">Webhooks get every alert, too. <a href="${alertsArea}">Add other recipients</a></p></fieldset>`;
}
