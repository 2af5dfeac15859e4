/** The paths of the server's pages that the add-on links to. The sidebar's HTML names them as `page:NAME`. */
const pagePaths = {
  addon: '/addon',
  guide: '/docs/addon',
  errors: '/docs/errors',
  imports: '/dashboard/imports',
  dashboard: '/dashboard',
  keys: '/dashboard/keys',
  credits: '/dashboard/credits',
  usage: '/dashboard/usage',
  tracking: '/dashboard/tracking',
  campaigns: '/dashboard/campaigns',
};
export type PageName = keyof typeof pagePaths;

/** Returns the address of a page of the server. @throws Error when the name is unknown, which only a bug can cause. */
export function pageUrl(name: string): string {
  if (!(name in pagePaths)) throw new Error(`There is no page ${name}.`);
  return API_ORIGIN + pagePaths[name as PageName];
}
