import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openScriptProject, type ScriptProject, scriptId } from './script-project.ts';

const installMs = 300_000;
const origin = 'https://social.example';

let project: ScriptProject;
beforeEach(async () => {
  project = await openScriptProject();
}, installMs);
afterEach(() => project?.close());

test("a push with the real clasp (Google's tool) uploads the three built files to the script project, and nothing else", async () => {
  await project.push(origin);
  const [uploaded, ...more] = project.requests.filter(({ method }) => method === 'PUT');
  expect(more).toEqual([]);
  expect(uploaded).toMatchObject({
    host: 'script.googleapis.com',
    path: `/v1/projects/${scriptId}/content`,
    token: 'Bearer invented-token',
  });
  const sourceOf = (name: string) => readFile(join(project.folder, 'dist', name), 'utf8');
  expect(project.uploaded().toSorted((a, b) => a.name.localeCompare(b.name))).toEqual([
    { name: 'appsscript', type: 'JSON', source: await sourceOf('appsscript.json') },
    { name: 'Code', type: 'SERVER_JS', source: await sourceOf('Code.js') },
    { name: 'Sidebar', type: 'HTML', source: await sourceOf('Sidebar.html') },
  ]);
  expect(await sourceOf('appsscript.json')).toContain(`"${origin}/"`);
});

test('a push of the add-on that Google refuses ends with an error that points to the message of clasp', async () => {
  project.refuse();
  await expect(project.push(origin)).rejects.toThrow('clasp did not push the add-on. Its message is above.');
});
