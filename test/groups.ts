/** Test files that share a process, by a name for people. */
export type Group = { name: string; files: string[] };

// Whoever starts processes, kills them or drives a browser has a process of its own, and so can go on beside the others; so has
// whoever looks at what is loaded.
const apart = [
  'cli/commands/',
  'cloud/broker/',
  'cloud/store/telemetry/kill.test.ts',
  'contract/client/',
  'test/browser/',
  'test/canaries/',
  'test/deploy/',
  'test/docs/',
  'test/faults/',
  'test/gateway/',
  'test/journey/',
  'test/oauth/lazy.test.ts',
  'test/pack/',
  'test/stack/',
];

/** To load a program takes longer than most tests of it: those of a part are tried after one another in one process. */
export function groupsOf(files: readonly string[]): Group[] {
  const names = Map.groupBy(files, (file) => (apart.some((start) => file.startsWith(start)) ? file : partOf(file)));
  return Array.from(names, ([name, group]) => ({ name, files: group }));
}

const partOf = (file: string): string => file.split('/').slice(0, -1).slice(0, 2).join('/');
