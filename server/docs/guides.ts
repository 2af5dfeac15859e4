import { readFileSync } from 'node:fs';
import { errorsMarkdown } from './errors.ts';

/** A document of the documentation: a page at `/docs/<name>`, its text at `/docs/<name>.md`. */
export interface Guide {
  name: string;
  /** As menus say it. */
  label: string;
  /** One sentence on what it is for. */
  about: string;
  /** Where its text stands, unless it is made; it is `docs/<name>.md` for most. */
  file: string;
}

export interface GuideGroup {
  title: string;
  guides: readonly Guide[];
}

function guide(name: string, label: string, about: string, file = `docs/${name}.md`): Guide {
  return { name, label, about, file };
}

/** Every document, in the order in which it is offered. */
export const guideGroups: readonly GuideGroup[] = [
  {
    title: 'Start',
    guides: [
      guide('quickstart', 'Quickstart', 'From a clone to a filled row in under a minute.'),
      guide('sandbox', 'Sandbox', 'Free samples, and every error on demand, with a development key.'),
      guide('clients', 'Clients', 'curl, TypeScript, Python, OpenAPI, and what is ready to use.'),
      guide(
        'typescript',
        'TypeScript client',
        'Typed routes and errors, retries that never pay twice, iteration over lists.',
        'clients/typescript/README.md',
      ),
      guide('dashboard', 'Dashboard and sign-in', 'Keys, credits, usage, playground and settings, for people.'),
    ],
  },
  {
    title: 'Spreadsheets',
    guides: [
      guide('addon', 'Google Sheets', 'Formulas, menu and sidebar of the add-on; how to build and push your own.'),
      guide('excel', 'Excel', 'Power Query templates for profiles and campaign reports.'),
      guide('workflows', 'Rows over HTTP', 'The routes that answer with columns and rows, as JSON or CSV.'),
      guide(
        'sheets-push',
        'Pushes into Google Sheets',
        'Reports and lists that the server itself writes into a spreadsheet.',
      ),
    ],
  },
  {
    title: 'On a schedule',
    guides: [
      guide('tracking', 'Tracking', 'Saved accounts and posts, checked once a day.'),
      guide('reports', 'Campaigns and reports', 'Weekly reports of a campaign, and what every number in them means.'),
      guide('batches', 'Bulk analysis', 'A list of profile URLs, answered row by row.'),
      guide('webhooks', 'Webhooks', 'Signed messages when something happened.'),
    ],
  },
  {
    title: 'The API',
    guides: [
      guide('credits', 'Caching and credits', 'What costs, what is free, and how never to pay twice.'),
      guide('limits', 'Limits', 'Rates, sizes, ages, and the limits of each tier.'),
      guide('errors', 'Errors', 'Every code: its cause, and what to do.'),
      guide('mcp', 'MCP', 'The service as tools for assistants.'),
      guide('migrating', 'Migrating', 'From services with the same paths: what to map, and what not to expect.'),
    ],
  },
  {
    title: 'Your own service',
    guides: [
      guide('operating', 'Operating', 'Settings, command line, health, jobs and backup of a service of your own.'),
      guide('previews', 'Evaluating previews', 'How an operator decides whether a preview route is good enough.'),
      guide(
        'export',
        'Export and deletion',
        'Everything a workspace holds as one JSON document, and how to delete it.',
      ),
      guide('changelog', 'Changelog', 'What changed, version by version.', 'CHANGELOG.md'),
    ],
  },
];

/** Files of the repository that documents link to, served at their own path. */
export const linkedFiles = ['clients/excel/profile-list.pq', 'clients/excel/campaign-report.pq'] as const;

const root = new URL('../../', import.meta.url);

/** A file of the repository as text. */
export function repositoryFile(path: string): string {
  return readFileSync(new URL(path, root), 'utf8');
}

/** What stands for the service's own address in a document: the second where the document is read in the repository, too. */
const addresses = ['{base_url}', 'http://127.0.0.1:8787'];

/** The Markdown of a document, with the service's own address in it. */
export function guideText({ name, file }: Guide, baseUrl: string): string {
  const text = name === 'errors' ? errorsMarkdown() : repositoryFile(file);
  return addresses.reduce((written, address) => written.replaceAll(address, baseUrl), text);
}

/** The list of all documents as a document. */
export function guidesMarkdown(): string {
  const groups = guideGroups.map(({ title, guides }) => {
    const lines = guides.map(({ name, label, about }) => `- [${label}](${name}.md): ${about}`);
    return `## ${title}\n\n${lines.join('\n')}`;
  });
  return `# Guides\n\nThe routes with a form for each stand in the [reference](endpoints.md).\n\n${groups.join('\n\n')}\n`;
}
