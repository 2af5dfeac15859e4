// The npm package `node` puts Node 24 first in the PATH of npm scripts. This stops with a sentence when another Node runs.
const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  console.error(
    `Tidemark runs on Node 24 and found ${process.version}. Run \`npm ci\`, which installs Node 24 beside it (not with --ignore-scripts or --omit=optional), then start through npm: \`npm start\`.`,
  );
  process.exit(1);
}
