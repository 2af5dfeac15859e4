import { registerHooks } from 'node:module';

const folder = '/node_modules/drizzle-orm/';
let registered = false;

/**
 * Makes the import of drizzle-orm quick. Call it before the import. Node looks up the format of a module in the nearest package.json and
 * parses it again for each module. The one of drizzle-orm has 179 kB for a hundred modules: that took 2 seconds and 250 MB. All modules of
 * this package are ES modules, so the lookup is left out. See docs/adr/0131-quick-import-of-drizzle.md.
 */
export function quickenDrizzle(): void {
  if (registered) return;
  registered = true;
  registerHooks({
    resolve(specifier, context, next) {
      const { parentURL } = context;
      if (!specifier.startsWith('.') || !parentURL?.includes(folder)) return next(specifier, context);
      const { href: url } = new URL(specifier, parentURL);
      return url.endsWith('.js') ? { url, format: 'module', shortCircuit: true } : next(specifier, context);
    },
  });
}
