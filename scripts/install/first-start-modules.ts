// Loads the modules of a first start, so that Node stores them compiled. See store-modules.mjs.
import '../../server/start.ts';
import '../../server/run.ts';
import '../../server/dashboard/dashboard.ts';
import { loadDrizzle } from '../../db/drizzle-modules.ts';
import { loadPgBoss } from '../../pipeline/queue/queue.ts';
import { loadAuth } from '../../server/dashboard/account/accounts.ts';

await loadAuth();
await loadPgBoss();
loadDrizzle();
// A module may have opened something that keeps the process running.
process.exit();
