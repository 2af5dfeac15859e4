import { quantity } from '../../pipeline/quantity.ts';
import { catalog } from '../data/catalog.ts';
import { workflows } from '../workflows/catalog.ts';
import { endpointsMarkdown } from './endpoints.ts';
import { guideGroups, guideText } from './guides.ts';

/** Returns llms.txt for language models: a description of the service, with links to all documents. */
export function llmsText(baseUrl: string): string {
  const guides = guideGroups.map(({ title, guides }) => {
    const lines = guides.map(({ name, label, about }) => `- [${label}](${baseUrl}/docs/${name}.md): ${about}`);
    return `## ${title}\n\n${lines.join('\n')}`;
  });
  return `${introduction}
- [Reference](${baseUrl}/docs.md): every route with price, parameters and availability
- [OpenAPI 3.1](${baseUrl}/openapi.json): the same as an OpenAPI document
- [All documents in one file](${baseUrl}/llms-full.txt)

${guides.join('\n\n')}

## Routes

${routeLines().join('\n')}
`;
}

const introduction = `# Tidemark

> Normalized public data from Instagram, TikTok and YouTube, with one API key.

In paths, photo is Instagram, shortvideo is TikTok and longvideo is YouTube.
Send the key in the header x-api-key. Keys that begin with tide_test_ get fixed samples and cost nothing.
A value that the platform does not show is null. Errors, cached answers and samples cost 0 credits.
`;

function routeLines(): string[] {
  const routes = catalog.map((route) => {
    const identifiers = Object.keys(route.identifiers).join(' | ');
    const required = Object.keys(route.required ?? {}).map((name) => `&${name}=`);
    const price = quantity(route.cost, 'credit');
    return `- GET ${route.path}?${identifiers}=${required.join('')} (${price}, ${route.availability}): ${route.summary}`;
  });
  const rows = workflows.map(({ path, required, parameters, summary, price }) => {
    const { repeated } = parameters[required] ?? {};
    const limitText = repeated === undefined ? '' : `, up to ${repeated} ${required}`;
    return `- GET ${path}?${required}= (${price}): ${summary}${limitText}`;
  });
  return [
    ...routes,
    '- GET /v1/credit/balance (free): credits left, and the workspace that owns them',
    ...rows,
    '- GET /v1/workflows/campaigns (free): the campaigns of the workspace',
    '- GET /v1/workflows/campaign-report?id= (free): a weekly report of a campaign',
  ];
}

/**
 * Returns llms-full.txt for language models: the reference and every guide. A comment before each document has the URL
 * of the document.
 */
export function llmsFullText(baseUrl: string): string {
  const parts = guideGroups
    .flatMap(({ guides }) => guides)
    .map((guide) => ({ path: `/docs/${guide.name}.md`, text: guideText(guide, baseUrl) }));
  const all = [{ path: '/docs.md', text: endpointsMarkdown('docs/') }, ...parts];
  return [introduction, ...all.map(({ path, text }) => `<!-- ${baseUrl}${path} -->\n\n${text.trimEnd()}\n`)].join('\n');
}
