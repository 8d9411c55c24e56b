import { randomInt } from 'node:crypto';

/** Readings are kept by this number instead of the long id. It is random, so nobody inherits the readings of another. */
export const newDerNumber = (): number => randomInt(1, 2 ** 47);
