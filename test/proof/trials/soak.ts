import type { Finding } from '../../../bench/measure/finding.ts';
import { isMet, table } from '../../../bench/measure/table.ts';
import { soak } from '../../../bench/soak.ts';
import type { Outcome, Proof } from '../proof.ts';

const fewMinutes = 2.5;
const warmUpMbPerHour = 5000; // memory grows in the first minutes anyway, but not this much
const leaking = import.meta.resolve('../../faults/leaking-platform.ts');

const outcomeOf = (minutes: number, findings: readonly Finding[]): Outcome => ({
  tried: minutes,
  failed: findings.filter((each) => !isMet(each)).length,
  notes: [table(findings)],
});

export const mixedLoad: Proof = {
  id: 'S18',
  what: 'Minutes of mixed load: memory grows by less than 1 MB/h, open files stay, nothing is lost or refused',
  full: 60, // from one sealing of an hour to the next, which changes the number of cached readings
  seconds: 5200,
  load: 1, // with room for its delays of the event loop
  attempt: async (minutes) => outcomeOf(minutes, await soak(minutes)),
  async planted() {
    const findings = await soak(fewMinutes, leaking);
    const leak = findings.filter(
      ({ what, value }) => what === 'growth of memory of its own' && value > warmUpMbPerHour,
    );
    return outcomeOf(fewMinutes, leak);
  },
};
