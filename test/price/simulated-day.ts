import { publication } from '#sim/market/a44.ts';
import { findDomain } from '#sim/market/domains.ts';
import { marketDays } from '#sim/market/market-days.ts';

type Span = { start: number; end: number };

const later = 2 * 86_400_000; // when all of it is published

/** The document of the simulated market for a day. */
export const simulatedDocument = (eic: string, { start, end }: Span): string =>
  publication(findDomain(eic), { from: start, to: end, now: end + later, offset: undefined });

/** The prices that it was written from. */
export const simulatedDay = (eic: string, { start, end }: Span): number[] =>
  marketDays(findDomain(eic)!, start, end).flatMap(({ prices }) => prices.map(({ price }) => price));
