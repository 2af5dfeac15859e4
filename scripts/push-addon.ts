import { homedir } from 'node:os';
import { join } from 'node:path';
import { pushAddon } from './addon/push.ts';
import { readBuildArguments } from './build-addon.ts';

const addonFolder = join(import.meta.dirname, '..', 'addon');

async function main(): Promise<void> {
  const { origin, install } = readBuildArguments();
  if (origin === undefined)
    throw new Error('The origin of your API is missing. Run: npm run addon:push -- https://social.example');
  const login = process.env.clasp_config_auth ?? join(homedir(), '.clasprc.json');
  await pushAddon({ origin, install, paths: { addon: addonFolder, login }, env: process.env });
  console.log(`Pushed the add-on for ${origin}. Reload the spreadsheet.`);
}

if (import.meta.main) {
  await main().catch((error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
