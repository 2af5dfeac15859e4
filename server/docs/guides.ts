import { readFileSync } from 'node:fs';
import { errorsMarkdown } from './errors.ts';

/** A document of the documentation. The page is at `/docs/<name>`, and the Markdown is at `/docs/<name>.md`. */
export interface Guide {
  name: string;
  /** Name of the document in menus. */
  label: string;
  /** One sentence about the content of the document. */
  about: string;
  /** Path of the Markdown file in the repository. Not used for the document `errors`, which is generated. */
  file: string;
}

interface GuideGroup {
  title: string;
  guides: readonly Guide[];
}

function guide(name: string, label: string, about: string, file = `docs/${name}.md`): Guide {
  return { name, label, about, file };
}

/** The first page of the documentation, which is also at `/docs`. */
export const startGuide = guide(
  'start',
  'Start here',
  'From nothing to a filled sheet, an API answer or your own server.',
);

/** Every document, grouped and sorted as in the menu. */
export const guideGroups: readonly GuideGroup[] = [
  {
    title: 'Start',
    guides: [
      startGuide,
      guide('quickstart', 'Quickstart', 'From a clone to a filled row in under a minute.'),
      guide('sandbox', 'Sandbox', 'Free samples and every error on request, with a development key.'),
      guide('clients', 'Clients', 'curl, TypeScript, Python, OpenAPI and ready-made clients.'),
      guide(
        'typescript',
        'TypeScript client',
        'Typed routes and errors, retries without double charges, iteration over lists.',
        'clients/typescript/README.md',
      ),
      guide(
        'dashboard',
        'Dashboard and sign-in',
        'Manage keys, credits, usage and settings, and try routes, in the browser.',
      ),
    ],
  },
  {
    title: 'Spreadsheets',
    guides: [
      guide(
        'addon',
        'Google Sheets',
        'The guide with pictures: first rows, formulas, imports, schedules and reports, and which way is for whom.',
      ),
      guide(
        'addon-admin',
        'Google Sheets for administrators',
        'A public address, consent screens, shared files, and publishing the add-on.',
      ),
      guide('excel', 'Excel', 'Power Query templates for profiles and campaign reports.'),
      guide('workflows', 'Workflow routes', 'Routes that return columns and rows, as JSON or CSV.'),
      guide(
        'data-links',
        'Data links',
        'Secret addresses that Google Sheets, Excel, Looker Studio, pandas and R read without a key.',
      ),
      guide(
        'sheets-push',
        'Write to Google Sheets',
        'The server runs sheet imports, and writes lists and reports into your spreadsheet, without the add-on.',
      ),
    ],
  },
  {
    title: 'Tracking and reports',
    guides: [
      guide('tracking', 'Tracking', 'Saved accounts and posts, checked once a day.'),
      guide('reports', 'Campaigns and reports', 'Weekly campaign reports, and what each number means.'),
      guide('batches', 'Bulk analysis', 'Upload a list of profile URLs and get one row for each.'),
      guide('alerts', 'Notifications', 'Alert rules, weekly reports and summaries by mail and in Slack.'),
      guide('webhooks', 'Webhooks', 'Signed messages to your program about events.'),
    ],
  },
  {
    title: 'The API',
    guides: [
      guide('credits', 'Caching and credits', 'What is charged, what is free, and how to avoid paying twice.'),
      guide('limits', 'Limits', 'Rate limits, sizes, cache ages, and the limits of each tier.'),
      guide('errors', 'Errors', 'Every error code, its cause, and what to do.'),
      guide('recipes', 'Recipes', 'pandas, DuckDB, R, Looker Studio, Airtable and n8n, ready to copy.'),
      guide('mcp', 'MCP', 'Use the service as tools of an AI assistant.'),
      guide('migrating', 'Migrating', 'Move from services with the same paths: what to map, and what differs.'),
    ],
  },
  {
    title: 'Your own server',
    guides: [
      guide('deployment', 'Deployment', 'From one process to many machines: systemd, Docker, monitoring, upgrades.'),
      guide('operating', 'Operating', 'Settings, command line, health, jobs and backups of your own server.'),
      guide('scaling', 'Scaling', 'How far one machine goes, what to add then, and what it costs.'),
      guide('reliability', 'Reliability', 'What we promise, and a command for each promise that tries to break it.'),
      guide('security', 'Security', 'Threats and defences, and how to report a vulnerability.'),
      guide('previews', 'Evaluating previews', 'How to decide whether a preview route is good enough for customers.'),
      guide('glossary', 'Glossary', 'The terms of Tidemark that have a fixed meaning.'),
      guide('export', 'Export and deletion', 'Download all data of a workspace as one JSON document, and delete it.'),
      guide('changelog', 'Changelog', 'What changed, version by version.', 'CHANGELOG.md'),
    ],
  },
];

/** Files that documents link to. The server serves each file at the same path as in the repository. */
export const linkedFiles = [
  'clients/excel/profile-list.pq',
  'clients/excel/post-list.pq',
  'clients/excel/tracked-list.pq',
  'clients/excel/campaign-report.pq',
] as const;

/**
 * The server address in the linked files. The URL of this server replaces it, so that users need not change the files.
 */
const exampleAddress = 'https://social.example';

/** Returns a file that documents link to, with the URL of this server. */
export function linkedFile(path: (typeof linkedFiles)[number], baseUrl: string): string {
  return repositoryFile(path).replaceAll(exampleAddress, baseUrl);
}

const root = new URL('../../', import.meta.url);

/** Returns the text of a file in the repository. */
export function repositoryFile(path: string): string {
  return readFileSync(new URL(path, root), 'utf8');
}

/**
 * Addresses in documents that are replaced with this server's URL. The second one is in documents that people also read
 * in the repository.
 */
const addresses = ['{base_url}', 'http://127.0.0.1:8787'];

/** Returns the Markdown of a document, with the URL of this server in its examples. */
export function guideText({ name, file }: Guide, baseUrl: string): string {
  const text = name === 'errors' ? errorsMarkdown() : repositoryFile(file);
  return addresses.reduce((written, address) => written.replaceAll(address, baseUrl), text);
}

/** Returns a list with links to all documents, as Markdown. */
export function guidesMarkdown(): string {
  const groups = guideGroups.map(({ title, guides }) => {
    const lines = guides.map(({ name, label, about }) => `- [${label}](${name}.md): ${about}`);
    return `## ${title}\n\n${lines.join('\n')}`;
  });
  return `# Guides\n\nThe [API reference](endpoints.md) lists all routes, with a form to try each one.\n\n${groups.join('\n\n')}\n`;
}
