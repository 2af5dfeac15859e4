import { destination } from 'pino';
import { createLog } from '../pipeline/log.ts';
import { runOperator } from './operator/main.ts';

process.exitCode = await runOperator(process.argv.slice(2), {
  env: process.env,
  log: createLog({ level: 'warn', to: destination(2) }),
  print: console.log,
  printError: console.error,
});
