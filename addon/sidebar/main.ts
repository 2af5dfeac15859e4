import { refreshAccount, startAccount } from './account.ts';
import { startFormula } from './formula.ts';
import { startImports } from './imports.ts';
import { showLog } from './log.ts';
import { startRefresh } from './refresh.ts';
import { startReport } from './report.ts';
import { startTabs, type TabName } from './tabs.ts';

async function main(): Promise<void> {
  startAccount();
  const opened: Record<TabName, () => void> = {
    account: () => {},
    formula: startFormula(),
    imports: startImports(),
    report: startReport(),
    refresh: startRefresh(),
    log: () => void showLog(),
  };
  const select = startTabs((name) => opened[name]());
  select('account');
  const account = await refreshAccount();
  if (account !== null && account.uses !== null) select('imports');
}

void main();
