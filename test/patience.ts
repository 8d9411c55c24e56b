// Runs before every test file: one that is not over by then holds something open, and would hold up all.
const minutes = 10;

setTimeout(() => {
  console.error(
    `${process.argv[1]} is not over after ${minutes} minutes; open are: ${process.getActiveResourcesInfo().join(', ')}.`,
  );
  process.exit(1);
}, minutes * 60_000).unref();
