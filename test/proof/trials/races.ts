import { decideBeforehand, tryRaces } from '../../attacks/races.ts';
import { engines } from '../../cloud/open-cloud.ts';
import type { Outcome, Proof } from '../proof.ts';

/** Half of the schedules on each available database. */
async function tryOnEach(count: number): Promise<Outcome> {
  const usable = engines.filter(({ skip }) => !skip);
  const sum: Required<Outcome> = { tried: 0, failed: 0, notes: [] };
  for (const { engine } of usable) {
    const { tried, failed, notes = [] } = await tryRaces(Math.ceil(count / usable.length), engine);
    sum.tried += tried;
    sum.failed += failed;
    sum.notes.push(...notes);
  }
  return sum;
}

export const racingSchedules: Proof = {
  id: 'S32',
  what: 'Schedules of concurrent claim, release, provision and login without an equivalent serial order',
  full: 500,
  seconds: 30,
  load: 1,
  attempt: tryOnEach,
  planted: () => tryRaces(40, 'sqlite', decideBeforehand),
};
