import { isMet, table } from '../../../bench/measure/table.ts';
import { soak } from '../../../bench/soak.ts';
import type { Proof } from '../proof.ts';

export const mixedLoad: Proof = {
  id: 'S18',
  what: 'Minutes of mixed load: memory grows by less than 1 MB/h, open files stay, nothing is lost or refused',
  full: 20,
  seconds: 1400,
  async attempt(minutes) {
    const findings = await soak(minutes);
    return { tried: minutes, failed: findings.filter((each) => !isMet(each)).length, notes: [table(findings)] };
  },
};
