import type { Opening } from '../../first-run/open.ts';
import type { Account } from '../../platform/page-replies.ts';
import { byId, isBusy, show } from '../elements.ts';
import { runElement } from '../log.ts';
import { startFirstRows } from './first-rows.ts';
import { choices } from './remembered.ts';
import { type Screen, showScreen } from './screens.ts';
import { startWelcome } from './welcome.ts';

type Home = {
  /** Shows the Home screen that fits the saved API keys: the next step of the first use, or the overview. */
  showAccount: (account: Account) => void;
  showOpening: (opening: Opening) => void;
  /**
   * Reads the selected cells of the sheet once more if the overview is shown. Called when the Home section is opened.
   */
  opened: () => void;
};

/** Sets up the Home section of the sidebar. `openImports` opens the Imports section. */
export function startHome(openImports: () => void): Home {
  const firstRows = startFirstRows(openImports);
  const welcome = startWelcome();
  return {
    showAccount(account) {
      const screen = screenFor(account);
      firstRows.showAccount(account);
      welcome.showAccount(account);
      // While no key is saved, the user may be typing one in the screen `welcome-key`, so that screen stays open.
      if (screen !== 'welcome-start' || byId('welcome-key', HTMLElement).hidden) showScreen(screen);
    },
    showOpening({ selection, runs }) {
      firstRows.showPicked(selection);
      byId('recent-runs', HTMLUListElement).replaceChildren(...runs.map(runElement));
      show('recent-none', runs.length === 0);
      show('recent-all', runs.length > 0);
    },
    opened() {
      if (!byId('overview', HTMLElement).hidden && !isBusy('first-rows-pick')) void firstRows.pick(false);
    },
  };
}

function screenFor({ uses, formulas, keys }: Account): Screen {
  if (uses === null) return 'welcome-start';
  const unanswered = keys.account?.problem === null && formulas === null && choices().asked !== true;
  return unanswered ? 'welcome-share' : 'overview';
}
