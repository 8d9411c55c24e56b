import { getSiteCarbon, type SiteCarbon } from '#contract/cloud/carbon.ts';
import type { SiteDetails } from '#contract/cloud/sites.ts';
import { Problem } from '#contract/problem.ts';
import { dateAt } from '#contract/time-zone.ts';
import { type Load, useLoad } from '../parts/load.tsx';
import { timeNow } from '../parts/now.ts';
import { dayPeriod, earlier } from './bill/period.ts';
import { useTurn } from './bill/turn.ts';
import { api } from './session.ts';

/** The carbon dioxide of imported energy. */
export type Carbon = Omit<SiteCarbon, 'carbon_g' | 'provider'> & { carbon_g: number; provider: string };

/** Asks for the carbon dioxide of a range; undefined if it is unknown, as without a source of carbon intensities. */
export async function askCarbon(
  siteId: string,
  query: { from: string; to: string },
  signal: AbortSignal,
): Promise<Carbon | undefined> {
  try {
    const found = await api().call(getSiteCarbon, { params: { site_id: siteId }, query, signal });
    const { carbon_g, provider } = found;
    return carbon_g === null || provider === null ? undefined : { ...found, carbon_g, provider };
  } catch (problem) {
    if (problem instanceof Problem && problem.code === 'unavailable') return undefined; // its source fails
    throw problem;
  }
}

export type CarbonOfDay = { today: Carbon; yesterday: Carbon | undefined };

/** Loads the carbon dioxide of today until the last known hour, and of yesterday until the same time. */
export const useCarbonOfDay = ({ id, timezone }: SiteDetails): Load<CarbonOfDay | undefined> =>
  useLoad(
    async (signal) => {
      const nowMs = timeNow();
      const day = dayPeriod(dateAt(timezone, nowMs), nowMs, timezone);
      const today = day && (await askCarbon(id, day.query, signal));
      if (!today) return undefined;
      const known = { ...day, query: { from: day.query.from, to: today.to } };
      return { today, yesterday: await askCarbon(id, earlier(known, 'before', nowMs, timezone), signal) };
    },
    [],
    useTurn(),
  );
