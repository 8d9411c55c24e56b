import type { Clock } from '#lib/clock.ts';
import type { Store } from '../store/store.ts';

export type OperatorDeps = { store: Store; clock: Clock };
