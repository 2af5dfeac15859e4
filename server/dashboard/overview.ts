import { html } from 'hono/html';
import type { DashboardDeps } from './dashboard.ts';
import type { Section } from './section.ts';
import { count } from './ui.ts';

/** Where everything stands, and what to do first. */
export function overviewSection(_deps: Pick<DashboardDeps, 'db' | 'now'>): Section {
  return {
    pages: {
      '/dashboard': async ({ visitor }) => ({
        title: visitor.workspace_name,
        content: html`<p>${count(visitor.balance)} credits.</p>`,
      }),
    },
    forms: {},
  };
}
