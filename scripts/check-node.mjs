// Stops with an explanation when npm scripts run with a version older than Node 24. The npm package `node` puts Node 24
// first in PATH.
const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  console.error(
    `Tidemark needs Node 24 and found ${process.version}. Run \`npm ci\` without --ignore-scripts and --omit=optional, which installs Node 24. Then start through npm: \`npm start\`.`,
  );
  process.exit(1);
}
