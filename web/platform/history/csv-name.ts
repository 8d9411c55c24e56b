import { dateAt } from '#contract/time-zone.ts';
import type { Span } from './energy.ts';

/** The name of a file with the data of a span: whose they are, and the day at the site with which they begin. */
export const csvName = (id: string, { from }: Span, timeZone: string | undefined): string =>
  `${id}-${dateAt(timeZone, from)}.csv`;
