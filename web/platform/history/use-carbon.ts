import type { SiteDetails } from '#contract/cloud/sites.ts';
import { useLoad } from '../../parts/load.tsx';
import { askCarbon, type Carbon } from '../carbon.ts';
import type { TimeRange } from './buckets.ts';
import { billEnd, type Comparison, comparedUntil, isoRange, onlyFor, type Range } from './range.ts';
import { type Compared, slowTurn, unlessPassedBy } from './use-energy.ts';

export type CarbonOfRange = { span: TimeRange; carbon: Carbon; before: ReadonlyMap<Comparison, Carbon> };

type CarbonRequest = { site: SiteDetails; range: Range; nowMs: number; isAsked: boolean };

/** Loads the carbon dioxide of a range, and of the measured ranges that it is compared with until the same time. */
export function useCarbon(
  { site: { id, timezone }, range, nowMs, isAsked }: CarbonRequest,
  compared: readonly Compared[],
): CarbonOfRange | undefined {
  const { from, to } = range;
  const end = billEnd(range, nowMs);
  const comparisons = compared.flatMap(({ comparison, total }) => (total ? [comparison] : []));
  const loaded = useLoad(
    async (signal): Promise<CarbonOfRange | undefined> => {
      if (!isAsked || from >= end) return undefined;
      await unlessPassedBy(signal);
      const carbon = await askCarbon(id, isoRange({ from, to: end }), signal);
      if (!carbon) return undefined;
      const before = new Map<Comparison, Carbon>();
      for (const comparison of comparisons) {
        const other = comparedUntil(range, comparison, Date.parse(carbon.to), timezone);
        const found = other.from < other.to ? await askCarbon(id, isoRange(other), signal) : undefined;
        if (found) before.set(comparison, found);
      }
      return { span: { from, to }, carbon, before };
    },
    [id, isAsked, from, to, comparisons.join()],
    slowTurn(range, nowMs),
  );
  return onlyFor(loaded, range).value;
}
