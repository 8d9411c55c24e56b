import { quarterMs } from '#contract/cloud/energy.ts';
import type { askWhatIf } from '#contract/cloud/plans.ts';
import { fieldProblem } from '#contract/problem.ts';
import type { RequestOf } from '#contract/route.ts';
import { dayMs } from '#contract/time.ts';
import { whatIfSentence } from '#contract/what-if-sentences.ts';
import { sumOf } from '../bill/quarters.ts';
import type { Household } from '../bill/site-bill.ts';
import type { SiteQuarters } from '../energy/report.ts';
import { wearShare } from '../plans/site-problem.ts';
import type { Battery } from './battery.ts';

export type Changes = RequestOf<typeof askWhatIf>['body'];

export function withTariff(home: Household, tariffId: string | undefined): Household {
  if (tariffId === undefined) return home;
  const periods = home.contract.periods.map(({ tariff_id: _, ...period }) => period);
  return { ...home, site: { ...home.site, tariff_id: tariffId }, contract: { ...home.contract, periods } };
}

const kw = (watts: number): string => `${(watts / 1000).toFixed(1)} kW`;
const kwh = (wh: number): string => `${(wh / 1000).toFixed(1)} kWh`;

/** Returns what the home would have taken from the grid without its batteries and with another roof. */
export function netWithoutBattery({ series }: SiteQuarters, solarW: number | undefined) {
  const net = series.import.map(
    (wh, i) => wh - series.export[i]! + series.battery_discharge[i]! - series.battery_charge[i]!,
  );
  if (solarW === undefined) return { net, notes: [] };
  const presentW = series.solar.reduce((most, wh) => Math.max(most, wh), 0) * 4;
  if (presentW === 0) {
    if (solarW === 0) return { net, notes: [] };
    throw fieldProblem('unprocessable', 'body.solar_w', 'needs measured solar energy, and this site has none');
  }
  const more = solarW / presentW - 1;
  for (const [i, wh] of series.solar.entries()) net[i]! -= wh * more;
  return { net, notes: solarW > 0 ? [whatIfSentence('roof', { power: kw(presentW) })] : [] };
}

const usualEfficiency = 0.9; // of charging and discharging together
const enoughWh = 20_000; // for a measured efficiency

/** The batteries in the plans of the site. */
export type PlannedBattery = { reserve_pct: number; capacity_wh: number | undefined };

/** Returns the battery that is asked for, above its reserve; without one, that of the plans, or what the energy of the site shows. */
export function batteryOf(
  { series }: SiteQuarters,
  { battery_wh: askedWh, battery_w: askedW }: Changes,
  { reserve_pct, capacity_wh: plannedWh }: PlannedBattery,
) {
  const { battery_charge: charge, battery_discharge: discharge } = series;
  const measured = sumOf(discharge) / sumOf(charge);
  const isMeasured = sumOf(charge) > enoughWh && measured > 0.6 && measured < 1;
  const both = isMeasured ? measured : usualEfficiency;
  const efficiency = Math.sqrt(both);
  const isMoved = sumOf(charge) > 0;
  const knownWh = askedWh ?? (isMoved ? plannedWh : undefined);
  // The measured battery stayed above its reserve, too.
  const capacityWh = knownWh === undefined ? swingOf(charge, discharge, efficiency) : knownWh * (1 - reserve_pct / 100);
  const mostWh = charge.reduce((most, wh, i) => Math.max(most, wh, discharge[i]!), 0);
  const quarterWh = askedW !== undefined ? askedW / 4 : askedWh !== undefined ? askedWh / 8 : mostWh;
  const battery: Battery = { capacityWh: quarterWh > 0 ? capacityWh : 0, quarterWh, efficiency, wearShare };
  if (battery.capacityWh === 0) return { battery, notes: knownWh ? [whatIfSentence('battery_reserved')] : [] };
  const power = kw(quarterWh * 4);
  const size =
    knownWh === undefined
      ? whatIfSentence('battery_seen', { capacity: kwh(capacityWh), power })
      : whatIfSentence(askedWh === undefined ? 'battery_present' : 'battery_other', {
          capacity: kwh(knownWh),
          percent: reserve_pct,
          power,
        });
  const percent = Math.round(both * 100);
  return { battery, notes: [size, whatIfSentence(isMeasured ? 'battery_measured' : 'battery_usual', { percent })] };
}

/** Returns how much the level of the batteries changed at most within a day. */
function swingOf(charge: Float64Array, discharge: Float64Array, efficiency: number): number {
  const levels = new Float64Array(charge.length + 1);
  for (const [i, wh] of charge.entries()) levels[i + 1] = levels[i]! + wh * efficiency - discharge[i]! / efficiency;
  let most = 0;
  const day = dayMs / quarterMs;
  for (let from = 0; from < levels.length; from += day / 4) {
    const part = levels.subarray(from, from + day + 1);
    most = Math.max(most, Math.max(...part) - Math.min(...part));
  }
  return most;
}
