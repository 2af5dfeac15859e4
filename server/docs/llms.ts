import { catalog } from '../catalog.ts';
import { workflows } from '../routes/workflows/catalog.ts';

/** The service in plain text, for machines that read. */
export function llmsText(base_url: string): string {
  const routes = catalog.map((route) => {
    const identifiers = Object.keys(route.identifiers).join(' | ');
    return `- GET ${route.path}?${identifiers}= (${route.cost} credits, ${route.availability}): ${route.summary}`;
  });
  const rows = workflows.map(({ path, required, parameters, summary, price }) => {
    const { repeated } = parameters[required] ?? {};
    const often = repeated === undefined ? '' : `, up to ${repeated} ${required}`;
    return `- GET ${path}?${required}= (${price}): ${summary}${often}`;
  });
  return `# Tidemark

> Normalized public data of a photo, a short-video and a long-video platform under one API key.

Send the key in the header x-api-key. Keys that begin tide_test_ answer with fixed samples and cost nothing.
Values the source does not provide are null. Errors, cache hits and samples cost 0 credits.

- Reference: ${base_url}/docs
- Errors: ${base_url}/docs/errors
- OpenAPI 3.1: ${base_url}/openapi.json

## Routes

${routes.join('\n')}
- GET /v1/credit/balance: credits left, and whose they are; free
${rows.join('\n')}
- GET /v1/workflows/campaigns: the campaigns of the workspace, free
- GET /v1/workflows/campaign-report?id=: a weekly report of a campaign, free
`;
}
