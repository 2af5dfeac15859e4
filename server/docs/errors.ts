import type { ErrorRow } from '../../pipeline/errors/row.ts';
import { type ErrorCode, errorTable } from '../../pipeline/errors.ts';
import { scenarios } from '../sandbox/scenarios.ts';

const intro = `# Errors

In a spreadsheet or a bulk analysis, the column \`status\` of a row has one of these codes. Find the code in the table below. Its section says what happened and what to do. [Errors are free](credits.md#errors-are-free), with rare exceptions. A status that is not in the table is explained on another page:

| status | where it is explained |
|---|---|
| \`OK (older)\`, \`NO_DATA\`, \`NOT_IN_TIME\`, \`API_KEY_NOT_SET\` and other codes of the add-on | [Google Sheets](addon.md#what-the-status-means) |
| \`TABLE_NOT_FOUND\`, \`PLATFORM_MISSING\` and other codes of the Excel templates | [Excel](excel.md#when-something-is-missing) |
| \`NOT_SHARED\`, \`OTHER_TABLE\` and other codes of spreadsheets that the server writes | [Write to Google Sheets](sheets-push.md#when-writing-fails) |
| \`NOT_STORED\` | [Data links](data-links.md#what-a-link-can-show): this profile has no cached value |
| \`NOT_TRACKED\`, \`NOT_CHECKED\`, \`SKIPPED_…\`, \`IDENTITY_CHANGED\` | [Missing days](reports.md#missing-days) of reports and tracked items |
| \`CAP_REACHED\`, \`PAUSED\` | [States](batches.md#states) of a bulk analysis: it waits |

**For developers.** Every answer of the API with a status other than 200 has the body below. (A [data link](data-links.md#who-can-read-a-link) answers with one plain sentence instead.) \`credits_charged\` is 0, except after [\`CHARGE_UNCONFIRMED\`](#CHARGE_UNCONFIRMED): then it is null, and the header \`x-credits-charged\` is missing, because the service does not know yet whether you were charged.

\`\`\`json
{
  "error": {
    "code": "INVALID_INPUT",
    "message": "limit: must be a whole number from 1 to 20.",
    "status": 400,
    "retryable": false,
    "retry_after_seconds": null,
    "documentation_url": "{base_url}/docs/errors#INVALID_INPUT",
    "details": [{ "parameter": "limit", "message": "must be a whole number from 1 to 20" }]
  },
  "meta": { "request_id": "req_0b1c2d", "credits_charged": 0, "sandbox": true }
}
\`\`\`

In your program, use \`code\` and \`retryable\`; \`message\` is for people and may change. \`retryable\` is true only when the same request can succeed soon; then \`retry_after_seconds\` and the header \`Retry-After\` say how long to wait first. Look at \`retryable\` in each answer: the same code can be retryable or not. It is not, for example, when the route is \`unavailable\`, or when the wait would be longer than an hour.
\`request_id\` is also in the header \`x-request-id\`: include this id when you ask for help. With a development key, the [sandbox](sandbox.md) returns most of these errors on request:

\`\`\`sh
curl -H "x-api-key: $KEY" "{base_url}/v1/photo/profile?handle=sandbox_404"
\`\`\`
`;

const codes = Object.entries(errorTable) as [ErrorCode, ErrorRow][];

/**
 * Returns the documentation of all error codes as Markdown, with a section for each code. The `documentation_url` of an
 * error leads to its section.
 */
export function errorsMarkdown(): string {
  const lines = codes.map(([code, { status, retryable }]) => {
    return `| [\`${code}\`](#${code}) | ${status} | ${retryable ? 'yes' : 'no'} |`;
  });
  const table = ['| Code | HTTP status | Can a retry help? |', '|---|---:|---|', ...lines].join('\n');
  return `${intro}\n${table}\n\n${codes.map(section).join('\n')}`;
}

function section([code, row]: [ErrorCode, ErrorRow]): string {
  const { status, retryable, message, cause, to_do, may_be_charged } = row;
  const suffix = scenarios.find(({ effect }) => effect.kind === 'error' && effect.code === code)?.suffix;
  const retry = retryable ? 'if `retryable` is true, the same request can succeed soon.' : 'does not help.';
  const sandbox = suffix === undefined ? '' : ` **In the sandbox**: send the handle \`sandbox_${suffix}\`.`;
  return `## ${code}

*${status}.* ${message}

- **Cause**: ${cause}
- **What to do**: ${to_do}
- **Charged**: ${may_be_charged ? 'not known; a charge is normally returned' : 'no'}. **Retry**: ${retry}${sandbox}
`;
}
