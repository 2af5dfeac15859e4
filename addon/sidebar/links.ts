import { pageUrl } from '../platform/pages.ts';

const scheme = 'page:';

/** Sets the address of every link to a page of the server, which the HTML names as `page:NAME`. Links open in a new tab. */
export function startLinks(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href^="page:"]')) {
    link.href = pageUrl(link.href.slice(scheme.length));
    link.target = '_blank';
    link.rel = 'noopener';
  }
}
