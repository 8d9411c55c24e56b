/** Of the long tier: it kills and starts again and again, or takes as long as that. `npm test` leaves it out. */
export const isLong = (path: string): boolean => path.endsWith('.long.test.ts');
