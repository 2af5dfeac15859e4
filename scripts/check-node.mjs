// The project brings its own Node 24 (the npm package `node`); this says so plainly when it is not the one that runs.
const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  console.error(
    `Tidemark needs Node 24 and found ${process.version}. Run \`npm ci\` (without --ignore-scripts), then start through npm: \`npm start\`.`,
  );
  process.exit(1);
}
