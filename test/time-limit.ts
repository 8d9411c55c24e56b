// Loaded before every test process: ends one that keeps something open and would hold up the whole run.
const minutes = 10;

setTimeout(() => {
  const open = process.getActiveResourcesInfo().join(', ');
  console.error(`${process.argv[1]} did not end within ${minutes} minutes; still open: ${open}.`);
  process.exit(1);
}, minutes * 60_000).unref();
