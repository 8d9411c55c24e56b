import { hash, timingSafeEqual } from 'node:crypto';

/** Compares without telling by its time how much was right. */
export const sameSecret = (given: string, expected: string): boolean =>
  timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'));
