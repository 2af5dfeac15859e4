import { byId } from './elements.ts';

const names = ['account', 'formula', 'imports', 'report', 'refresh', 'log'] as const;
export type TabName = (typeof names)[number];

/** Sets up the tabs for mouse and arrow keys. Calls `opened` whenever a tab is shown. Returns a function that shows a tab. */
export function startTabs(opened: (name: TabName) => void): (name: TabName) => void {
  const select = (name: TabName): void => {
    for (const one of names) {
      const tab = tabOf(one);
      tab.setAttribute('aria-selected', String(one === name));
      tab.tabIndex = one === name ? 0 : -1;
      byId(one, HTMLElement).hidden = one !== name;
    }
    opened(name);
  };
  names.forEach((name, index) => {
    const tab = tabOf(name);
    tab.addEventListener('click', () => select(name));
    tab.addEventListener('keydown', ({ key }) => {
      const next = names[nextIndex(key, index)];
      if (next === undefined) return;
      select(next);
      tabOf(next).focus();
    });
  });
  return select;
}

function tabOf(name: TabName): HTMLButtonElement {
  return byId(`tab-${name}`, HTMLButtonElement);
}

function nextIndex(key: string, index: number): number {
  if (key === 'ArrowRight') return (index + 1) % names.length;
  if (key === 'ArrowLeft') return (index + names.length - 1) % names.length;
  if (key === 'Home') return 0;
  return key === 'End' ? names.length - 1 : -1;
}
