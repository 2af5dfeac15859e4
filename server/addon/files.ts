import { createHash } from 'node:crypto';
import { attachmentResponse } from '../http/attachment.ts';
import { type AddonFile, addonFile, addonFiles } from './built-files.ts';
import { excelWorkbook } from './workbook.ts';

/**
 * Media types of the add-on files. Sidebar.html is sent as plain text. If it were HTML, a browser would run its script
 * with the session of the visitor.
 */
const types: Record<AddonFile, string> = {
  'Code.js': 'text/javascript',
  'Sidebar.html': 'text/plain',
  'appsscript.json': 'application/json',
};

/**
 * Returns the routes that serve the Apps Script files and the Excel workbook, both set up for the server at `baseUrl`.
 */
export function addonFileRoutes(baseUrl: string): Record<string, (request: Request) => Response> {
  return {
    ...Object.fromEntries(addonFiles.map((name) => [`/addon/${name}`, fileRoute(name, baseUrl)])),
    '/addon/Tidemark.xlsx': () => attachmentResponse('Tidemark', 'xlsx', excelWorkbook(baseUrl)),
  };
}

function fileRoute(name: AddonFile, baseUrl: string): (request: Request) => Response {
  let file: { text: string; tag: string } | null = null;
  return (request) => {
    file ??= tagged(addonFile(name, baseUrl));
    const headers = {
      etag: file.tag,
      // Makes the browser ask for a new version each time, so that a user never copies an outdated file.
      'cache-control': 'no-cache',
      'content-type': `${types[name]}; charset=utf-8`,
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'x-credits-charged': '0',
    };
    const known = request.headers
      .get('if-none-match')
      ?.split(',')
      .map((tag) => tag.trim().replace(/^W\//, ''));
    if (known?.includes(file.tag)) return new Response(null, { status: 304, headers });
    return new Response(file.text, { headers });
  };
}

function tagged(text: string): { text: string; tag: string } {
  return { text, tag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` };
}
