import { addRecipient, listRecipients, maxRecipients } from '../../../db/alerts/recipients.ts';
import { addRule, changeRule, listRules, maxRules, type NewRule } from '../../../db/alerts/rules.ts';
import { isId } from '../../../db/ids.ts';
import { type RuleInput, readRule } from '../../../pipeline/alerts/read-rule.ts';
import { type FormVisit, idOf, oneLine, type Page, PageNotFound, redirect } from '../ui/section.ts';
import { editRulePage, newRulePage, type RuleProblem } from './rule-form.ts';
import { type AlertsDeps, alertsArea } from './shared.ts';

const inputNames = ['name', 'scope', 'condition', 'metric', 'direction', 'amount', 'days', 'checks', 'cooldown_hours'];

/** Reads an alert rule from the form. Ignores recipients of other workspaces. */
async function ruleIn(visit: FormVisit, deps: AlertsDeps) {
  const { workspace_id } = visit.visitor;
  const known = new Set((await listRecipients(deps.db.sql, workspace_id)).map(({ recipient_id }) => recipient_id));
  const recipientIds = visit.form.getAll('recipient_ids').map(String);
  const fields = Object.fromEntries(inputNames.map((name) => [name, oneLine(visit.form, name)]));
  const input = { ...fields, recipient_ids: recipientIds.filter((id) => known.has(id)) } as unknown as RuleInput;
  const read = readRule(input);
  if (!read.ok || read.rule.scope_id === null || isId(read.rule.scope_id)) return read;
  return { ok: false as const, field: 'scope', message: 'Choose the items to watch.' };
}

const tooManyRecipients: RuleProblem = {
  field: 'own',
  message: `A workspace can have ${maxRecipients} recipients. Remove one first, or untick your address.`,
};

/**
 * Returns the alert rule, with the user's own address added as a recipient when the form asks for this. Returns null
 * when the workspace would have too many recipients.
 */
async function withOwn(rule: NewRule, visit: FormVisit, { db, now }: AlertsDeps): Promise<NewRule | null> {
  if (!visit.form.has('own')) return rule;
  const { workspace_id, email } = visit.visitor;
  const address = email.toLowerCase();
  const own = { channel: 'mail', address, label: address, topics: [], campaign_ids: [] } as const;
  const added = await addRecipient(db.sql, workspace_id, own, now());
  if (added.outcome === 'full') return null;
  return added.outcome === 'added' ? { ...rule, recipient_ids: [...rule.recipient_ids, added.recipient_id] } : rule;
}

/** Creates the alert rule that the form describes. */
export async function createRule(visit: FormVisit, deps: AlertsDeps): Promise<Page | Response> {
  const { workspace_id } = visit.visitor;
  const read = await ruleIn(visit, deps);
  if (!read.ok) return newRulePage(visit, deps, read);
  const rule = await withOwn(read.rule, visit, deps);
  if (!rule) return newRulePage(visit, deps, tooManyRecipients);
  const ruleId = await addRule(deps.db.sql, workspace_id, rule, deps.now());
  if (ruleId !== null) return redirect(alertsArea, 'rule-made');
  const message = `The rule was not created: the workspace already has ${maxRules} rules, or the watched items no longer exist. Remove a rule, or choose other items.`;
  return newRulePage(visit, deps, { field: null, message });
}

/**
 * Saves the changes that a user made to an alert rule. Ignores a new condition, because a rule keeps its original
 * condition.
 */
export async function saveRule(visit: FormVisit, deps: AlertsDeps): Promise<Page | Response> {
  const { workspace_id } = visit.visitor;
  const ruleId = idOf(visit.params.rule_id);
  const stored = (await listRules(deps.db.sql, workspace_id)).find(({ rule_id }) => rule_id === ruleId);
  if (!stored) throw new PageNotFound();
  visit.form.set('condition', stored.condition);
  const read = await ruleIn(visit, deps);
  if (!read.ok) return editRulePage(visit, deps, read);
  const rule = await withOwn(read.rule, visit, deps);
  if (!rule) return editRulePage(visit, deps, tooManyRecipients);
  if (await changeRule(deps.db.sql, workspace_id, ruleId, rule)) return redirect(alertsArea, 'rule-changed');
  const message = 'The rule was not changed, because what it watches no longer exists. Choose other items.';
  return editRulePage(visit, deps, { field: 'scope', message });
}
