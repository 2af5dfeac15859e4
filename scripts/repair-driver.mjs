// Repairs postgres 3.4.9 after an install, see docs/adr/0009: it does not survive the loss of a connection. What was buffered
// for it poisons the next one, the rollback of a transaction on it ends the process, so does the failure of its own first
// query, and a server that hangs up is called for ever (porsager/postgres #1133, #1192, #1193, #1208, #1223).
import { readFileSync, writeFileSync } from 'node:fs';

const repairs = [
  // Nothing is written to a connection that is gone, and nothing is expected of it.
  [
    "    if (terminated)\n      return queryError(q, Errors.connection('CONNECTION_DESTROYED', options))",
    "    if (terminated || !socket)\n      return queryError(q, Errors.connection('CONNECTION_DESTROYED', options))",
  ],
  [
    '  function nextWrite(fn) {\n    const x',
    '  function nextWrite(fn) {\n    if (!socket)\n      return chunk = nextWriteTimer = null\n\n    const x',
  ],
  [
    '    socket.removeAllListeners()\n    socket = null\n\n    if (initial)\n      return reconnect()\n\n    !hadError && (query || sent.length)',
    '    socket.removeAllListeners()\n    socket = chunk = nextWriteTimer = null\n\n    ;(query || initial || sent.length)',
  ],
  [
    '    closedTime = performance.now()\n    hadError &&',
    '    query = results = errorResponse = null\n    closedTime = performance.now()\n    if (initial)\n      return reconnect()\n\n    hadError &&',
  ],
  ['        return fetchArrayTypes()\n', '        return fetchArrayTypes().catch(errored)\n'],
];

for (const build of ['src', 'cjs/src']) {
  const path = new URL(`../node_modules/postgres/${build}/connection.js`, import.meta.url);
  const source = readFileSync(path, 'utf8');
  const repaired = repairs.reduce((text, [broken, whole]) => {
    if (text.includes(whole)) return text;
    if (!text.includes(broken)) throw new Error(`${path.pathname} is not the driver that these repairs were made for`);
    return text.replace(broken, () => whole);
  }, source);
  if (repaired !== source) writeFileSync(path, repaired);
}
