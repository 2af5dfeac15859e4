/** Packages whose relative imports of `.js` files all name ES modules. A start of the server loads about 120 of their files. */
const packages = ['/node_modules/zod/', '/node_modules/hono/'];

/**
 * Resolves a relative import of a TypeScript file, or of a file of one of the packages above. Returns null for every
 * other import, which Node must resolve. Node would look up the file, its symbolic links and the package.json of its
 * folder for each of about 800 modules, which takes a sixth of the processor time of a start.
 */
export function quickResolve(specifier, { parentURL }) {
  if (!specifier.startsWith('.') || parentURL === undefined) return null;
  if (specifier.endsWith('.ts')) return resolved(specifier, parentURL, 'module-typescript');
  const isQuick = specifier.endsWith('.js') && packages.some((name) => parentURL.includes(name));
  return isQuick ? resolved(specifier, parentURL, 'module') : null;
}

function resolved(specifier, parentURL, format) {
  return { url: new URL(specifier, parentURL).href, format, shortCircuit: true };
}
