import { type Cuts, canMountDisks, cutPower } from '../../faults/power-cut-image.ts';
import type { Outcome, Proof } from '../proof.ts';

const outcomeOf = ({ cuts, torn, samples }: Cuts): Outcome => ({
  tried: cuts,
  failed: torn.length,
  notes: [`${samples} samples were on disk at the end`, ...torn],
});

export const powerCut: Proof = {
  id: 'S3',
  what: 'Power-cut images with torn state',
  full: 300,
  seconds: 200,
  load: 1,
  async attempt(cuts) {
    if (!canMountDisks()) throw new Error('Only root can create and mount a disk; run this proof as root.');
    return outcomeOf(await cutPower(cuts));
  },
  planted: async () => outcomeOf(await cutPower(5, true)),
};
