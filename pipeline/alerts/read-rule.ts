import {
  type AlertCondition,
  type AlertScope,
  alertConditions,
  alertDirections,
  alertScopes,
  type NewRule,
} from '../../db/alerts/rules.ts';
import { metrics } from '../../db/schema/metrics.ts';

/** Maps each field of the form that creates an alert rule to its text. An empty field is ''. */
export type RuleInput = Record<
  'name' | 'scope' | 'condition' | 'metric' | 'direction' | 'amount' | 'days' | 'checks' | 'cooldown_hours',
  string
> & { recipient_ids: readonly string[] };

type ReadRule = { ok: true; rule: NewRule } | { ok: false; field: keyof RuleInput; message: string };

/** The smallest and largest allowed values of the number fields of an alert rule. */
const limits = {
  percent: { min: 0.1, max: 10_000 },
  threshold: { min: 0, max: 1_000_000_000_000 },
  days: { min: 1, max: 90 },
  checks: { min: 1, max: 30 },
  cooldown_hours: { min: 0, max: 720 },
} as const;

/** Maximum number of characters in the name of an alert rule. */
export const maxRuleName = 80;

class Refused extends Error {
  override readonly name = 'Refused';
  readonly field: keyof RuleInput;
  constructor(field: keyof RuleInput, message: string) {
    super(message);
    this.field = field;
  }
}

/**
 * Converts the fields of a form to an alert rule. When a field is invalid, returns the name of the field and one
 * sentence that says what to change.
 */
export function readRule(input: RuleInput): ReadRule {
  try {
    return { ok: true, rule: parse(input) };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { ok: false, field: error.field, message: error.message };
  }
}

function parse(input: RuleInput): NewRule {
  if (input.name === '' || input.name.length > maxRuleName)
    throw new Refused('name', `Enter a name of at most ${maxRuleName} characters.`);
  const condition = oneOf('condition', input.condition, alertConditions);
  const [scope = '', id = null] = input.scope.split(':');
  if (scope === '') throw new Refused('scope', 'Choose the items to watch.');
  const common = {
    name: input.name,
    scope: oneOf('scope', scope, alertScopes) satisfies AlertScope,
    scope_id: id,
    condition,
    cooldown_hours: numberOf('cooldown_hours', input.cooldown_hours, limits.cooldown_hours, true),
    recipient_ids: [...new Set(input.recipient_ids)],
  };
  if ((common.scope === 'all') !== (id === null)) throw new Refused('scope', 'Choose the items to watch.');
  return { ...common, ...comparedOf(condition, input) };
}

type Compared = Pick<NewRule, 'metric' | 'direction' | 'amount' | 'days' | 'checks'>;
const none: Compared = { metric: null, direction: null, amount: null, days: null, checks: null };

function comparedOf(condition: AlertCondition, input: RuleInput): Compared {
  switch (condition) {
    case 'change':
      return {
        metric: oneOf('metric', input.metric, metrics),
        direction: oneOf('direction', input.direction, alertDirections),
        amount: numberOf('amount', input.amount, limits.percent, false),
        days: numberOf('days', input.days, limits.days, true),
        checks: null,
      };
    case 'above':
    case 'below':
      return {
        ...none,
        metric: oneOf('metric', input.metric, metrics),
        amount: numberOf('amount', input.amount, limits.threshold, true),
      };
    case 'failing':
      return { ...none, checks: numberOf('checks', input.checks, limits.checks, true) };
    case 'not_found':
    case 'handle_changed':
      return none;
  }
}

function oneOf<T extends string>(field: keyof RuleInput, value: string, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === value);
  if (found === undefined) throw new Refused(field, `Choose one of: ${allowed.join(', ')}.`);
  return found;
}

/**
 * Reads a number from a form field. Accepts thousands separators, so that a pasted `10,000` is valid. Throws when the
 * number is outside the limits.
 */
function numberOf(field: keyof RuleInput, text: string, { min, max }: { min: number; max: number }, whole: boolean) {
  const plain = text.replace(/(?<=\d),(?=\d{3}(?:\D|$))/g, '');
  const value = /^\d+(?:\.\d+)?$/.test(plain) ? Number(plain) : Number.NaN;
  if (value >= min && value <= max && (!whole || Number.isInteger(value))) return value;
  const kind = whole ? 'whole number' : 'number';
  throw new Refused(field, `Enter a ${kind} from ${min.toLocaleString('en-US')} to ${max.toLocaleString('en-US')}.`);
}
