// The npm package `node` puts Node 24 first in the PATH of npm scripts. This script ends with an explanation when another version runs.
const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  console.error(
    `Tidemark needs Node 24 and found ${process.version}. Run \`npm ci\` without --ignore-scripts and --omit=optional, which installs Node 24. Then start through npm: \`npm start\`.`,
  );
  process.exit(1);
}
