import { totalmem } from 'node:os';
import type { DoctorContext } from './context.ts';
import { type Outcomes, ok, problem, warning } from './finding.ts';

const earliest = Date.UTC(2026, 0, 1); // before the first release
const latest = Date.UTC(2100, 0, 1);
const roundingMs = 1000; // the Date header has whole seconds
const toleratedMs = { ok: 3000, warning: 30_000 };
const synchronise = 'Turn on time synchronisation: timedatectl set-ntp true.';

export async function checkClock(scene: DoctorContext): Promise<Outcomes> {
  const now = scene.clock.now();
  const shown = new Date(now).toISOString().slice(0, 19);
  if (now < earliest || now > latest) return problem(`The clock is wrong: it shows ${shown}.`, synchronise);

  const answer = await scene.platform;
  if (answer.kind !== 'ours' || answer.date === undefined)
    return ok(`The clock shows ${shown} UTC; no platform answers to compare it with.`);
  const differenceMs = Math.max(0, Math.abs(scene.clock.now() - answer.date) - roundingMs);
  const says = `The clock differs by ${(differenceMs / 1000).toFixed(0)} s from that of ${answer.url}.`;
  if (differenceMs <= toleratedMs.ok) return ok(`The clock agrees with that of ${answer.url}.`);
  return differenceMs <= toleratedMs.warning ? warning(says, synchronise) : problem(says, synchronise);
}

const minNodeMajor = 24;
const megabyte = 2 ** 20;
const lowMemoryBytes = { warning: 200 * megabyte, problem: 60 * megabyte };

export async function checkConfiguration({ configuration: { path, mistakes } }: DoctorContext): Promise<Outcomes> {
  const source = path ? `The file is ${path}.` : 'There is no configuration file: settings come from the environment.';
  if (mistakes.length === 0) return ok(`The configuration is valid. ${source}`);
  const shown = `${mistakes[0]}${mistakes.length > 1 ? ` (and ${mistakes.length - 1} more)` : ''}`;
  return problem(`The configuration is invalid: ${shown}`, 'Run ohmstead config check for the full list.');
}

export async function checkNode(): Promise<Outcomes> {
  const { node } = process.versions;
  if (Number.parseInt(node, 10) >= minNodeMajor) return ok(`Node.js is ${node}.`);
  return problem(`Node.js is ${node}; ${minNodeMajor} or newer is needed.`, `Install Node.js ${minNodeMajor}.`);
}

export async function checkMemory(): Promise<Outcomes> {
  const free = process.availableMemory();
  const says = `${megabytes(free)} of ${megabytes(totalmem())} memory is available.`;
  const next = 'Stop other programs, or use a machine with more memory.';
  if (free < lowMemoryBytes.problem) return problem(says, next);
  return free < lowMemoryBytes.warning ? warning(says, next) : ok(says);
}

const megabytes = (bytes: number): string => `${Math.round(bytes / megabyte)} MB`;
