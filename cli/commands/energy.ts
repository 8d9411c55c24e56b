import {
  EnergyInterval,
  type EnergyTotal,
  energyResolutions,
  getSiteEnergy,
  quarterMs,
  type SiteEnergy,
} from '#contract/cloud/energy.ts';
import { csvText } from '#contract/csv.ts';
import { keysOf } from '#contract/schema.ts';
import { formatTime } from '#contract/time.ts';
import { systemClock } from '#lib/clock.ts';
import { UsageError } from '../line/command.ts';
import { formatNumber } from '../line/quantity.ts';
import { report } from '../line/report.ts';
import { formatLocalTime, parsePastTime, pastTimeFormats } from '../line/time.ts';
import { openSession } from '../sign-in/session.ts';
import { findSite, siteOption } from '../sites/find-site.ts';
import { columns } from '../terminal/output.ts';

const energy = report('energy', {
  summary: 'Show the energy of a site',
  options: {
    site: siteOption,
    from: { value: 'TIME', help: `start: ${pastTimeFormats}. Default: today` },
    to: { value: 'TIME', help: 'end. Default: now' },
    resolution: {
      value: 'STEP',
      oneOf: energyResolutions,
      help: 'length of an interval. Default: by the length of the range',
    },
    csv: { help: 'print CSV' },
  },
  examples: ['energy', 'energy --from 2026-01-01 --resolution 1mo', 'energy --site "My house" --from 7d --csv'],
  async run({ options }, shell) {
    const api = await openSession(shell);
    const site = await findSite(api, options.site);
    const moment = { now: systemClock.now(), timeZone: site.timezone ?? 'UTC' };
    const read = (name: 'from' | 'to') => {
      const text = options[name];
      if (text === undefined) return {};
      const ms = parsePastTime(text, moment);
      if (ms === undefined) throw new UsageError(`--${name} is not a valid time. Use ${pastTimeFormats}.`);
      return { [name]: formatTime(Math.floor(ms / quarterMs) * quarterMs) };
    };
    const found = await api.call(getSiteEnergy, {
      params: { site_id: site.id },
      query: { ...read('from'), ...read('to'), ...(options.resolution && { resolution: options.resolution }) },
    });
    return { result: found, text: options.csv ? energyCsv(found) : energyText(found) };
  },
});

const energyCsv = ({ intervals }: SiteEnergy): string =>
  csvText(keysOf(EnergyInterval.properties), intervals).trimEnd();

const shown = [
  ['IMPORT', 'import_wh'],
  ['EXPORT', 'export_wh'],
  ['SOLAR', 'solar_wh'],
  ['CHARGED', 'battery_charge_wh'],
  ['DISCHARGED', 'battery_discharge_wh'],
  ['CAR', 'car_charge_wh'],
  ['LOAD', 'load_wh'],
] as const;

function energyText({ timezone, intervals, total }: SiteEnergy): string {
  const cells = (sums: EnergyTotal): string[] => [
    ...shown.map(([, name]) => (sums[name] / 1000).toFixed(3)),
    sums.self_sufficiency_pct === null ? '' : `${formatNumber(sums.self_sufficiency_pct, 1)} %`,
  ];
  const rows = [
    [`kWh, ${timezone}`, ...shown.map(([title]) => title), 'SELF-SUFFICIENT'],
    ...intervals.map((interval) => [formatLocalTime(timezone, Date.parse(interval.start)), ...cells(interval)]),
    ['Total', ...cells(total)],
  ];
  const { coverage_pct: coverage, estimated_wh: estimated } = total;
  const remarks = [
    ...(coverage < 100 ? [`Measured for ${formatNumber(coverage, 1)} % of the time.`] : []),
    ...(estimated > 0 ? [`${(estimated / 1000).toFixed(3)} kWh are estimated.`] : []),
  ];
  return [
    columns(rows, shown.map((_, n) => n + 1).concat(shown.length + 1)),
    ...(remarks.length > 0 ? [remarks.join(' ')] : []),
  ].join('\n\n');
}

export const commands = [energy];
