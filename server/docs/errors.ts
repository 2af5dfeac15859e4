import type { ErrorRow } from '../../pipeline/errors/row.ts';
import { type ErrorCode, errorTable } from '../../pipeline/errors.ts';
import { scenarios } from '../sandbox/scenarios.ts';

const intro = `# Errors

[Errors are free](credits.md#errors-are-free): \`credits_charged\` is 0. The exception is [\`CHARGE_UNCONFIRMED\`](#CHARGE_UNCONFIRMED): the service does not know yet whether you were charged. Therefore \`credits_charged\` is null and the header \`x-credits-charged\` is missing; a charge is normally returned. Every answer with a status other than 200 has this body:

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

In your program, use \`code\` and \`retryable\`; \`message\` is for people and may change. \`retryable\` is true only when the same request can succeed soon; then \`retry_after_seconds\` and the header \`Retry-After\` say how long to wait first. The same code can be retryable in one answer but not in another: for example, an error is not retryable when the route is \`unavailable\`, or when you would have to wait more than an hour.
\`request_id\` is also in the header \`x-request-id\`: include this id when you ask for help.
Rows of workflows, spreadsheets and bulk analyses have the same codes in the column \`status\`. With a development key, the [sandbox](sandbox.md) returns most of these errors on request:

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
  const retry = retryable
    ? 'When `retryable` is true, the same request can succeed soon: first wait as long as `Retry-After` says.'
    : 'Sending the same request again does not help.';
  const sandbox = suffix === undefined ? '' : ` **In the sandbox**: send the handle \`sandbox_${suffix}\`.`;
  return `## ${code}

*${status}.* ${message}

- **Cause**: ${cause}
- **What to do**: ${to_do}
- **Charged**: ${may_be_charged ? 'not known; a charge is normally returned' : 'no'}. **Retry**: ${retry}${sandbox}
`;
}
