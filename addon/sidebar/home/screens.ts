import { show } from '../elements.ts';

/** The IDs of the screens of the Home section. Only one of them is shown at a time. */
const screens = ['home-loading', 'welcome-start', 'welcome-key', 'welcome-share', 'overview'] as const;
export type Screen = (typeof screens)[number];

export function showScreen(shown: Screen): void {
  for (const screen of screens) show(screen, screen === shown);
}
