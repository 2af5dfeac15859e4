/** A change of one file: its whole content, or a replacement of the last occurrence of `find` by `put`. */
type Edit = { file: string; text: string } | { file: string; find: string; put: string };

/** One example change to the code that touches only the files that its recipe in CONTRIBUTING.md names. */
export interface Change {
  /** The heading of the change's recipe in CONTRIBUTING.md. */
  recipe: string;
  /** Maximum number of files that such a change may edit by hand. */
  most_files: number;
  edits: readonly Edit[];
}

const route: Change = {
  recipe: 'A route',
  most_files: 2,
  edits: [
    {
      file: 'server/data/catalog.ts',
      find: '\n];',
      put: `
  { path: '/v1/shortvideo/harvest', cost: 2, availability: 'preview', identifiers: { tag: p.tag }, container: 'items', collector: shortvideoHashtagVideos, summary: 'Harvest of a TikTok hashtag' },
];`,
    },
    {
      file: 'server/sandbox/samples.ts',
      find: '\n};',
      put: `
  '/v1/shortvideo/harvest': list(shortvideoItemsSample),
};`,
    },
  ],
};

const source: Change = {
  recipe: 'A source',
  most_files: 3,
  edits: [
    {
      file: 'pipeline/shortvideo/garden-page.ts',
      text: `import type { Source } from '../collect/collect.ts';
import { SourceError } from '../errors.ts';
import type { ShortvideoItem } from '../records/shortvideo.ts';
import type { ShortvideoVideosParams } from './params.ts';

/** Collects the videos on the garden page of an account. */
export const gardenPage: Source<ShortvideoVideosParams, ShortvideoItem[]> = {
  name: 'tiktok-garden',
  credentials: null,
  reads: 'the garden page of an account',
  async collect({ handle }, context) {
    const { status } = await context.fetch({ url: \`https://garden.tiktok.com/@\${handle}\` }, context.signal);
    throw new SourceError('SOURCE_RESPONSE_CHANGED', { reason: \`the garden page answered \${status}\` });
  },
};
`,
    },
    {
      file: 'pipeline/shortvideo/collectors.ts',
      find: "import { videoOembed } from './oembed.ts';",
      put: "import { gardenPage } from './garden-page.ts';\nimport { videoOembed } from './oembed.ts';",
    },
    {
      file: 'pipeline/shortvideo/collectors.ts',
      find: 'sources: [withoutRegion(creatorEmbedVideos)],',
      put: 'sources: [withoutRegion(creatorEmbedVideos), withoutRegion(gardenPage)],',
    },
    {
      file: 'pipeline/network/http-client.ts',
      find: "  'vt.tiktok.com',\n",
      put: "  'vt.tiktok.com',\n  'garden.tiktok.com',\n",
    },
  ],
};

const job: Change = {
  recipe: 'A job',
  most_files: 2,
  edits: [
    {
      file: 'pipeline/jobs/water-garden.ts',
      text: `import type { Job } from '../queue/job.ts';

/** Writes the time of day to the log every morning. */
export const waterGarden: Job = {
  name: 'water-garden',
  schedule: '0 6 * * *',
  items_per_run: 1,
  expire_seconds: 60,
  retries: 0,
  async run(_, { now, log }) {
    log.info({ at: now() }, 'garden watered');
  },
};
`,
    },
    {
      file: 'pipeline/jobs/all.ts',
      find: "import { weeklyReports } from './weekly-reports.ts';",
      put: "import { waterGarden } from './water-garden.ts';\nimport { weeklyReports } from './weekly-reports.ts';",
    },
    { file: 'pipeline/jobs/all.ts', find: '    cleanup,\n', put: '    cleanup,\n    waterGarden,\n' },
  ],
};

const errorCode: Change = {
  recipe: 'An error code',
  most_files: 1,
  edits: [
    {
      file: 'pipeline/errors/server-errors.ts',
      find: '\n} as const satisfies',
      put: `
  GARDEN_CLOSED: {
    status: 503,
    sandbox: ['gdn', '3503'],
    retryable: true,
    retry_after_seconds: 60,
    message: 'The garden is closed for the night: try again in a minute.',
    cause: 'The garden is closed for the night.',
    to_do: 'Try again in a minute.',
    next_step: 'Wait a minute, then call again with the same arguments.',
  },
} as const satisfies`,
    },
  ],
};

const metric: Change = {
  recipe: 'A tracked metric',
  most_files: 1,
  edits: [
    {
      file: 'db/schema/metrics.ts',
      find: '\n} as const satisfies',
      put: "\n  duration_seconds: { of: ['shortvideo video'], chart: 5 },\n} as const satisfies",
    },
  ],
};

const page: Change = {
  recipe: 'A dashboard page',
  most_files: 2,
  edits: [
    {
      file: 'server/dashboard/settings/harbor.ts',
      text: `import { html } from 'hono/html';
import type { SectionDeps } from '../deps.ts';
import type { Section } from '../ui/section.ts';

/** Creates the page that shows the time in the harbor. */
export function harborSection({ now }: Pick<SectionDeps, 'now'>): Section {
  return {
    menu: { path: '/dashboard/harbor', label: 'Harbor' },
    pages: {
      '/dashboard/harbor': async () => ({ title: 'Harbor', content: html\`<p>It is \${now().toISOString()}.</p>\` }),
    },
    forms: {},
  };
}
`,
    },
    {
      file: 'server/dashboard/sections.ts',
      find: "import { keysSection } from './settings/keys.ts';",
      put: "import { harborSection } from './settings/harbor.ts';\nimport { keysSection } from './settings/keys.ts';",
    },
    { file: 'server/dashboard/sections.ts', find: '\n];', put: '\n  harborSection,\n];' },
  ],
};

const formula: Change = {
  recipe: 'A formula',
  most_files: 2,
  edits: [
    {
      file: 'addon/formulas/social-origin.ts',
      text: `import type { Server } from '../platform/client.ts';
import type { FormulaOffer } from './offer.ts';

/**
 * Gets the address of the server that answers the formulas. Free.
 *
 * @return {string} The address.
 * @customfunction
 */
export function SOCIAL_ORIGIN(api: Server): string {
  return api.origin;
}

export const offer: FormulaOffer = {
  order: 7,
  label: 'Address of the server',
  takes: '',
  args: [],
  choices: [],
  usual: [],
  estimate: null,
  gives: 'the address, a text',
  costs: '0',
};
`,
    },
    {
      file: 'addon/formulas/all.ts',
      find: "export { offer as SOCIAL_POST } from './social-post.ts';",
      put: "export { offer as SOCIAL_ORIGIN } from './social-origin.ts';\nexport { offer as SOCIAL_POST } from './social-post.ts';",
    },
  ],
};

/** One example change for each recipe in CONTRIBUTING.md. No change depends on another. */
export const changes: readonly Change[] = [page, job, route, source, errorCode, metric, formula];
