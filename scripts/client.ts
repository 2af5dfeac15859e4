import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const document = 'docs/openapi.json';
const target = 'clients/typescript/src/schema.ts';

/**
 * Returns the generated types of the client. The generator needs an older TypeScript, so npm runs both from its cache,
 * in the versions of the client's package.json.
 */
function generate(): string {
  const { devDependencies } = JSON.parse(readFileSync('clients/typescript/package.json', 'utf8')) as {
    devDependencies: Record<'openapi-typescript' | 'typescript', string>;
  };
  const packages = Object.entries(devDependencies).map(([name, version]) => `--package=${name}@${version}`);
  const args = ['exec', '--yes', ...packages, '--', 'openapi-typescript', document];
  return execFileSync('npm', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Returns the first line of the generated types, which contains the hash of the OpenAPI document. */
function headerOf(text: string): string {
  return `// Made from docs/openapi.json by npm run client; SHA-256 ${createHash('sha256').update(text).digest('hex')}\n`;
}

const header = headerOf(readFileSync(document, 'utf8'));
if (!process.argv.includes('--check')) writeFileSync(target, header + generate());
else if (!existsSync(target) || !readFileSync(target, 'utf8').startsWith(header)) {
  console.error(`${target} does not match ${document}. Run npm run client and commit the result.`);
  process.exitCode = 1;
}
