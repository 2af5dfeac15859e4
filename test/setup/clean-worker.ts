import { afterAll, vi } from 'vitest';

// Undoes the changes that a test file made in its process. Test files share one process, so that each module is loaded
// only once.
const environment = { ...process.env };
const folder = process.cwd();

afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  for (const [name, value] of Object.entries(environment)) {
    if (process.env[name] !== value) process.env[name] = value;
  }
  process.chdir(folder);
});
