import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const tickUs = 10_000; // on every Linux kernel: USER_HZ is 100

type Process = {
  id: number;
  parent: number;
  cpuUs: number;
  /** of exited children */
  endedUs: number;
};

/** Returns the CPU time (µs) of the processes whose command line contains a text, and of their descendants. */
export const cpuUsOf = (text: string): number =>
  familyOf(text).reduce((sum, { cpuUs, endedUs }) => sum + cpuUs + endedUs, 0);

/** Lets processes run on some processors only: those whose command line contains a text, and their descendants. */
export function runOn(processors: string, text: string): void {
  for (const { id } of familyOf(text))
    spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', processors, String(id)]);
}

function familyOf(text: string): Process[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap(statOf);
  const roots = all.filter(({ id }) => commandOf(id).includes(text));
  if (roots.length === 0) throw new Error(`No process has ${text} in its command line.`);
  const family = new Set(roots);
  for (const member of family) for (const child of all) if (child.parent === member.id) family.add(child);
  return [...family];
}

/** Returns undefined when it has exited in the meantime. */
function statOf(name: string): Process[] {
  const text = read(`/proc/${name}/stat`);
  if (text === '') return [];
  const [, parent, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [user, system, endedUser, endedSystem] = rest.slice(9, 13).map(Number) as [number, number, number, number];
  return [
    {
      id: Number(name),
      parent: Number(parent),
      cpuUs: (user + system) * tickUs,
      endedUs: (endedUser + endedSystem) * tickUs,
    },
  ];
}

const commandOf = (id: number): string => read(`/proc/${id}/cmdline`).replaceAll('\0', ' ');

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH') return '';
    throw error;
  }
}
