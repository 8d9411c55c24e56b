import { type EnergySeries, energySeries, quarterMs } from '#contract/cloud/energy.ts';
import type { ContractPeriod } from '#contract/price/contract.ts';
import { startOfDate, wallAt } from '#contract/time-zone.ts';
import { knownCalculator } from '#test/price/known-calculator.ts';
import type { SiteQuarters } from '../../energy/report.ts';
import { blankSite } from '../../sites/site.ts';
import type { BillCalculator } from '../bill-calculator.ts';
import type { Household } from '../site-bill.ts';

export const zone = 'Europe/Stockholm';
export const at = (date: string, hour = 0): number => startOfDate(zone, date) + hour * 4 * quarterMs;

type Energy = Partial<Record<EnergySeries, number>>;
export type EnergyAt = (hour: number, date: string) => Energy | undefined;

/** A ledger with the energy of each quarter of an hour, Wh; undefined where nothing was measured. */
function ledgerOf(energyAt: EnergyAt): Household['quarters'] {
  return async (from, to) => {
    const length = (to - from) / quarterMs;
    const column = () => new Float64Array(length);
    const series = Object.fromEntries(energySeries.map((name) => [name, column()])) as SiteQuarters['series'];
    const quarters: SiteQuarters = { from, to, series, estimated: column(), coveredS: column() };
    for (let i = 0; i < length; i++) {
      const wall = new Date(wallAt(zone, from + i * quarterMs));
      const energy = energyAt(wall.getUTCHours(), wall.toISOString().slice(0, 10));
      for (const name of energySeries) series[name][i] = energy?.[name] ?? 0;
      quarters.coveredS[i] = energy ? quarterMs / 1000 : 0;
    }
    return quarters;
  };
}

export const isDay = (hour: number): boolean => hour >= 8 && hour < 20;

type Home = { energy: EnergyAt; periods?: ContractPeriod[]; calculator?: BillCalculator; tariff?: string };

/** A home in Stockholm; 0.50 SEK from 8 to 20, 0.20 SEK at night. Prices are known until 20 April. */
export function homeOf({ energy, periods = [], calculator, tariff }: Home): Household {
  const market = {
    spot: (hour: number) => (isDay(hour) ? 50 : 20),
    unknownFrom: '2026-04-21',
    now: '2026-04-20T10:00Z',
  };
  return {
    site: { ...blankSite('sit-1', 'org-1', 'House', 0), price_area: 'SE3', timezone: zone, tariff_id: tariff ?? null },
    timeZone: zone,
    now: Number.POSITIVE_INFINITY,
    contract: { site_id: 'sit-1', periods },
    calculator: calculator ?? knownCalculator(market),
    quarters: ledgerOf(energy),
  };
}
