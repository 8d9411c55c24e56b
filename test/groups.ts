import { isLong } from './tiers.ts';

/** Test files that share a process, by a name for people. */
export type Group = { name: string; files: string[] };

// What takes long has a process of its own, and so goes on beside the others; so has whoever looks at what is loaded.
const apart = [
  'cli/commands/admin.test.ts',
  'cli/commands/backup.test.ts',
  'cli/commands/device.test.ts',
  'cli/commands/doctor.test.ts',
  'cli/commands/sim-fleet.test.ts',
  'cloud/broker/rabbitmq.test.ts',
  'contract/client/',
  'test/attacks/authorization.test.ts',
  'test/attacks/growth/', // measures its whole process
  'test/browser/cross-site.test.ts',
  'test/browser/every-page.test.ts',
  'test/browser/home.test.ts',
  'test/browser/hostile-names.test.ts',
  'test/browser/live.test.ts',
  'test/canaries/',
  'test/deploy/proxy.test.ts',
  'test/faults/closed-folder.test.ts',
  'test/faults/kill-',
  'test/gateway/bad-input.test.ts',
  'test/gateway/faults.test.ts',
  'test/journey/',
  'test/oauth/lazy.test.ts',
  'test/pack/',
  'test/stack/',
];

const isApart = (file: string): boolean => isLong(file) || apart.some((start) => file.startsWith(start));

/** Parts of which every folder is one: they are large. */
const large = ['cloud/broker', 'cloud/store', 'gateway/', 'test/'];

/** To load a program takes longer than most tests of it: those of a part are tried after one another in one process. */
export function groupsOf(files: readonly string[]): Group[] {
  const names = Map.groupBy(files, (file) => (isApart(file) ? file : partOf(file)));
  return Array.from(names, ([name, group]) => ({ name, files: group }));
}

function partOf(file: string): string {
  const [part, folder] = file.split('/').slice(0, -1);
  const both = `${part}/${folder ?? ''}`;
  return folder !== undefined && large.some((start) => both.startsWith(start)) ? both : part!;
}
