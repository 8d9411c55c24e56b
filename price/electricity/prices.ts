import type { Area } from './areas.ts';

/** One price of one interval, in euro for a megawatt-hour. */
export type PricePoint = { start: number; end: number; eur_per_mwh: number };

/** A market day of an area, taken whole from one source. */
export type PriceDay = {
  /** YYYY-MM-DD, the day of the market */
  date: string;
  points: readonly PricePoint[];
  /** who told, for example ENTSO-E */
  source: string;
  isSimulated: boolean;
  fetchedAt: number;
  /** when it is asked for again, since others may tell it finer; it is kept when this is left out */
  until?: number;
};

/** Euro in another currency, and who says so. */
export type Rate = { currency: string; perEuro: number; date: string; source: string };

export type Prices = {
  /** The day, from the store or from a source; undefined when nobody has it. */
  day(area: Area, date: string): Promise<PriceDay | undefined>;
  /** The day when it is known already. */
  peek(area: Area, date: string): PriceDay | undefined;
  rate(currency: string): Promise<Rate | undefined>;
};
