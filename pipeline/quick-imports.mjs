/**
 * Matches files of packages in which every relative import of a `.js` file is an ES module. A first start loads
 * about 300 such files.
 */
const packages =
  /\/node_modules\/(?:zod|hono|jose|pg-boss|postgres|csv-parse|@simplewebauthn\/server)\/(?!(?:dist\/)?cjs\/|script\/)/;
/** Matches the folder of the innermost package that contains a file. */
const packageFolder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+\//;
/** Results of earlier imports by name. The key has everything on which the result depends. */
const resolvedNames = new Map();

/**
 * Resolves an import as Node's function `next` does, but with fewer lookups. For each import, Node would look up the
 * file, its symbolic links and the package.json of its folder, and parse the list of exports of a package again.
 * Skipping this saves a fifth of the CPU time of loading the modules of a first start (docs/adr/0143).
 */
export function quickResolve(specifier, context, next) {
  const { parentURL } = context;
  if (parentURL === undefined || specifier.startsWith('#')) return next(specifier, context);
  if (specifier.startsWith('.')) return resolveRelative(specifier, parentURL) ?? next(specifier, context);
  if (specifier.startsWith('node:')) return { url: specifier, shortCircuit: true };
  return resolveName(specifier, context, next);
}

/** Resolves a relative import whose format is certain without the package.json. Returns null for every other import. */
function resolveRelative(specifier, parentURL) {
  const resolved = (format) => ({ url: new URL(specifier, parentURL).href, format, shortCircuit: true });
  if (specifier.endsWith('.ts')) return resolved('module-typescript');
  if (specifier.endsWith('.mjs')) return resolved('module');
  if (specifier.endsWith('.cjs')) return resolved('commonjs');
  return specifier.endsWith('.js') && packages.test(parentURL) ? resolved('module') : null;
}

/** Resolves an import by the name of a package. All files of a package, or of one of our folders, get the same file. */
function resolveName(specifier, context, next) {
  const { parentURL, conditions } = context;
  const from = packageFolder.exec(parentURL)?.[0] ?? parentURL.slice(0, parentURL.lastIndexOf('/'));
  const key = `${specifier}\n${from}\n${conditions}`;
  const known = resolvedNames.get(key);
  if (known !== undefined) return known;
  const { url, format } = next(specifier, context);
  const resolved = { url, format, shortCircuit: true };
  resolvedNames.set(key, resolved);
  return resolved;
}
