import { keysInOrder, showAccount, startAccount } from './account.ts';
import { callServer } from './call.ts';
import { byId, onClick, setText, show, showFailure, startLinks, whileBusy } from './elements.ts';
import { startFormula } from './formula.ts';
import { startHome } from './home/home.ts';
import { choices, recall, remember } from './home/remembered.ts';
import { startImports } from './imports/imports.ts';
import { showLog } from './log.ts';
import { startPresses } from './presses.ts';
import { startRefresh } from './refresh.ts';
import { startReport } from './report.ts';
import { readTab, startTabs, type TabName } from './tabs.ts';

const home = startHome(() => select('imports'));
startAccount((account) => home.showAccount(account));
const opened: Record<TabName, () => void> = {
  home: home.opened,
  formula: startFormula(),
  imports: startImports(),
  report: startReport(),
  refresh: startRefresh(),
  log: () => void showLog(),
  account: () => {},
};
const select = startTabs((name) => {
  remember({ tab: name });
  opened[name]();
});
startLinks();
startPresses();
onClick('home-retry', () => void whileBusy('home-retry', 'Loading…', open));

/** Loads everything that the first screen of the sidebar shows, and opens the section that the user had open last. */
async function open(): Promise<void> {
  const reply = await keysInOrder(() => callServer('sidebarOpen'));
  show('home-retry', !reply.ok);
  showFailure('home-failure', reply);
  if (!reply.ok) {
    show('home-loading', false);
    setText('balance', 'Balance unknown');
    return;
  }
  recall(reply.choices);
  showAccount(reply.account);
  home.showOpening(reply);
  const last = readTab(choices().tab);
  const isAtHome = !byId('home', HTMLElement).hidden && !byId('overview', HTMLElement).hidden;
  if (isAtHome && last !== null && last !== 'home') select(last);
}

void open();
