import { createLog } from '../pipeline/log.ts';
import { runProcess } from '../pipeline/process.ts';
import { readConfig } from './config.ts';

// Reads the settings before the rest of the program is loaded, so that a wrong setting is reported immediately.
async function main(): Promise<void> {
  const config = readConfig(process.env);
  const { start } = await import('./start.ts');
  await start(config);
}

await runProcess(main, createLog());
