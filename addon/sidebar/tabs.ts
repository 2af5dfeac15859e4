import { byId } from './elements.ts';

const names = ['home', 'formula', 'imports', 'report', 'refresh', 'log', 'account'] as const;
export type TabName = (typeof names)[number];

/**
 * Sets up the navigation of the sidebar. Calls `opened` each time a section is shown. Returns a function that shows a
 * section.
 */
export function startTabs(opened: (name: TabName) => void): (name: TabName) => void {
  const select = (name: TabName): void => {
    for (const one of names) {
      const button = byId(`tab-${one}`, HTMLButtonElement);
      if (one === name) button.setAttribute('aria-current', 'page');
      else button.removeAttribute('aria-current');
      byId(one, HTMLElement).hidden = one !== name;
    }
    window.scrollTo(0, 0);
    opened(name);
  };
  for (const name of names) byId(`tab-${name}`, HTMLButtonElement).addEventListener('click', () => select(name));
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-tab]')) {
    button.addEventListener('click', () => {
      const name = readTab(button.dataset.tab);
      if (name === null) return;
      select(name);
      // The pressed button is no longer visible, so the keyboard focus moves to the button of the section in the
      // navigation.
      byId(`tab-${name}`, HTMLButtonElement).focus();
    });
  }
  return select;
}

/** Returns the name when it names a section of the sidebar; otherwise null. */
export function readTab(name: string | undefined): TabName | null {
  return names.find((known) => known === name) ?? null;
}
