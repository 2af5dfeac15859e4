import { show } from '../elements.ts';

/** The screens of the home section. One of them is shown. */
const screens = ['home-loading', 'welcome-start', 'welcome-key', 'welcome-share', 'overview'] as const;
export type Screen = (typeof screens)[number];

export function showScreen(shown: Screen): void {
  for (const screen of screens) show(screen, screen === shown);
}
