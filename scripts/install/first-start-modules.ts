// Loads the modules of a first start and of the public pages, so that Node stores them compiled. See
// store-modules.mjs.
import '../../server/start.ts';
import '../../server/run.ts';
import '../../server/dashboard/dashboard.ts';
import '../../server/dashboard/landing.ts';
import '../../server/dashboard/legal.ts';
import '../../server/dashboard/prices.ts';
import '../../server/docs/llms.ts';
import '../../server/docs/markdown.ts';
import '../../server/docs/reference/page.ts';
import '../../server/docs/reference/route-page.ts';
import '../../server/docs/status.ts';
import '../../server/openapi/document.ts';
import '../../server/sandbox/samples.ts';
import '../../server/sandbox/samples/tracked.ts';
import { loadDrizzle } from '../../db/drizzle-modules.ts';
import { loadPgBoss } from '../../pipeline/queue/queue.ts';
import { loadAuth } from '../../server/dashboard/account/accounts.ts';

await loadAuth();
await loadPgBoss();
loadDrizzle();
// A module may have opened something that keeps the process running.
process.exit();
