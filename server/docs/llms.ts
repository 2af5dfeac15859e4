import { catalog } from '../data/catalog.ts';
import { workflows } from '../workflows/catalog.ts';
import { endpointsMarkdown } from './endpoints.ts';
import { guideGroups, guideText } from './guides.ts';

/** What the service is and where each document stands as Markdown, for machines that read. */
export function llmsText(baseUrl: string): string {
  const guides = guideGroups.map(({ title, guides }) => {
    const lines = guides.map(({ name, label, about }) => `- [${label}](${baseUrl}/docs/${name}.md): ${about}`);
    return `## ${title}\n\n${lines.join('\n')}`;
  });
  return `${introduction}
- [Reference](${baseUrl}/docs.md): every route with its price, parameters and availability
- [OpenAPI 3.1](${baseUrl}/openapi.json): the same for programs
- [Everything in one file](${baseUrl}/llms-full.txt)

${guides.join('\n\n')}

## Routes

${routeLines().join('\n')}
`;
}

const introduction = `# Tidemark

> Normalized public data of a photo, a short-video and a long-video platform under one API key.

Send the key in the header x-api-key. Keys that begin tide_test_ answer with fixed samples and cost nothing.
Values the source does not provide are null. Errors, cache hits and samples cost 0 credits.
`;

function routeLines(): string[] {
  const routes = catalog.map((route) => {
    const identifiers = Object.keys(route.identifiers).join(' | ');
    return `- GET ${route.path}?${identifiers}= (${route.cost} credits, ${route.availability}): ${route.summary}`;
  });
  const rows = workflows.map(({ path, required, parameters, summary, price }) => {
    const { repeated } = parameters[required] ?? {};
    const often = repeated === undefined ? '' : `, up to ${repeated} ${required}`;
    return `- GET ${path}?${required}= (${price}): ${summary}${often}`;
  });
  return [
    ...routes,
    '- GET /v1/credit/balance: credits left, and whose they are; free',
    ...rows,
    '- GET /v1/workflows/campaigns: the campaigns of the workspace, free',
    '- GET /v1/workflows/campaign-report?id=: a weekly report of a campaign, free',
  ];
}

/** The reference and every guide in one text, each under the address that it has on its own. */
export function llmsFullText(baseUrl: string): string {
  const parts = guideGroups
    .flatMap(({ guides }) => guides)
    .map((guide) => ({ path: `/docs/${guide.name}.md`, text: guideText(guide, baseUrl) }));
  const all = [{ path: '/docs.md', text: endpointsMarkdown() }, ...parts];
  return [introduction, ...all.map(({ path, text }) => `<!-- ${baseUrl}${path} -->\n\n${text.trimEnd()}\n`)].join('\n');
}
