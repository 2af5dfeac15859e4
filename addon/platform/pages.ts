/**
 * The paths of the server's web pages that the add-on links to. The HTML of the sidebar refers to them as `page:NAME`.
 */
const pagePaths = {
  addon: '/addon',
  guide: '/docs/addon',
  imports: '/dashboard/imports',
  dashboard: '/dashboard',
  keys: '/dashboard/keys',
  credits: '/dashboard/credits',
  usage: '/dashboard/usage',
  tracking: '/dashboard/tracking',
  campaigns: '/dashboard/campaigns',
};
type PageName = keyof typeof pagePaths;

/**
 * Returns the address of a web page of the server. The name may end with a section of the page, such as
 * `guide#imports`.
 *
 * @throws Error when the name is unknown, which only a bug can cause.
 */
export function pageUrl(name: string): string {
  const [page = '', section] = name.split('#');
  if (!(page in pagePaths)) throw new Error(`There is no page ${page}.`);
  return API_ORIGIN + pagePaths[page as PageName] + (section === undefined ? '' : `#${section}`);
}
