import type { DerKind } from '#contract/gateway/reading.ts';
import type { IconName } from '../parts/icon.tsx';

/** The icon of a DER, and the class that gives it its colour. */
export const derLook: Record<DerKind, { icon: IconName; colour: string }> = {
  pv: { icon: 'sun', colour: 'sun' },
  battery: { icon: 'battery', colour: 'battery' },
  meter: { icon: 'grid', colour: 'grid-in' },
  v2x_charger: { icon: 'car', colour: 'car' },
};
