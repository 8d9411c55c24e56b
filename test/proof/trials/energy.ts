import { tryHomes } from '#cloud/energy/testing/try-homes.ts';
import type { Proof } from '../proof.ts';

export const generatedHomes: Proof = {
  id: 'S40',
  what: 'Generated homes with a quarter-hour whose energy differs from the truth, or a sum from its parts',
  full: 200,
  seconds: 240,
  load: 1,
  attempt: (count) => tryHomes(count, 'sqlite'),
  planted: () => tryHomes(3, 'sqlite', { isLateIgnored: true }),
};
