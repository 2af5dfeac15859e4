import type { Page, Visit } from '../ui/section.ts';

/** Why a settings form was refused, and the card that shows it. `typed` is put back into the field. */
export interface Problem {
  card: 'cap' | 'name' | 'access' | 'data';
  message: string;
  typed?: string;
  status?: number;
}

/** Shows the settings page, with the problem of the form that was sent. */
export type ShowSettings = (visit: Visit, problem: Problem | null) => Promise<Page>;
