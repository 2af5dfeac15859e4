import { runRecord } from './recording/command.ts';

process.exitCode = await runRecord(process.argv.slice(2), {
  env: process.env,
  print: console.log,
  printError: console.error,
});
