import type { Problem as FieldMessage } from '../ui/forms/field-problem.ts';
import type { Page, Visit } from '../ui/section.ts';

/** A refused settings form: the reason, the card that shows it, and the value to put back into the field (`typed`). */
export interface SettingsProblem {
  card: 'cap' | 'name' | 'access' | 'data';
  message: FieldMessage;
  typed?: string;
  status?: number;
}

/** Returns the settings page, with the reason when a form was refused. */
export type ShowSettings = (visit: Visit, problem: SettingsProblem | null) => Promise<Page>;
