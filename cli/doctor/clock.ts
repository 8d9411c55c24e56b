import { type Finding, findingsAbout } from './finding.ts';
import type { Scene } from './scene.ts';

const earliest = Date.UTC(2026, 0, 1); // older than this program
const latest = Date.UTC(2100, 0, 1);
const roundingMs = 1000; // the platform tells whole seconds
const tolerated = { ok: 3000, warning: 30_000 };
const setIt = 'Switch time synchronisation on: timedatectl set-ntp true.';

export async function checkClock(scene: Scene): Promise<Finding[]> {
  const found = findingsAbout('clock');
  const now = scene.clock.now();
  const shown = new Date(now).toISOString().slice(0, 19);
  if (now < earliest || now > latest) return [found.problem(`The clock says ${shown}, which cannot be.`, setIt)];

  const answer = await scene.platform;
  if (answer.kind !== 'ours' || answer.date === undefined)
    return [found.ok(`The clock says ${shown} UTC; there is no platform to compare it with.`)];
  const differenceMs = Math.max(0, Math.abs(scene.clock.now() - answer.date) - roundingMs);
  const says = `The clock is ${(differenceMs / 1000).toFixed(0)} s away from that of ${answer.url}.`;
  if (differenceMs <= tolerated.ok) return [found.ok(`The clock is that of ${answer.url}, to the second.`)];
  return [differenceMs <= tolerated.warning ? found.warning(says, setIt) : found.problem(says, setIt)];
}
