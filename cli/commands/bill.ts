import {
  billCsv,
  getSiteBill,
  getSiteSavings,
  type SiteBill,
  type SiteSavings,
  savingsCsv,
} from '#contract/cloud/bill.ts';
import { carbonCsv, getSiteCarbon, type SiteCarbon } from '#contract/cloud/carbon.ts';
import { quarterMs } from '#contract/cloud/energy.ts';
import type { Site } from '#contract/cloud/sites.ts';
import { formatTime } from '#contract/time.ts';
import { systemClock } from '#lib/clock.ts';
import { type Option, type OptionValues, type Shell, UsageError } from '../line/command.ts';
import { plainMessage } from '../line/plain-message.ts';
import { formatNumber } from '../line/quantity.ts';
import { report } from '../line/report.ts';
import { formatLocalTime, parsePastTime, pastTimeFormats } from '../line/time.ts';
import { billParagraphs, formatMoney } from '../prices/bill-text.ts';
import { describeSource } from '../prices/price-words.ts';
import { openSession } from '../sign-in/session.ts';
import { findSite, siteOption } from '../sites/find-site.ts';
import { columns } from '../terminal/output.ts';

const rangeOptions = {
  site: siteOption,
  month: { value: 'MONTH', help: 'for example 2026-10. Default: the current month' },
  from: { value: 'TIME', help: `start, instead of a month: ${pastTimeFormats}` },
  to: { value: 'TIME', help: 'end, at most 400 days later. Default: the end of the month of the start' },
  csv: { help: 'print CSV' },
} as const satisfies Record<string, Option>;

type RangeOptions = OptionValues<typeof rangeOptions>;

async function openRange(options: RangeOptions, shell: Shell) {
  const api = await openSession(shell);
  const site = await findSite(api, options.site);
  return { api, request: { params: { site_id: site.id }, query: queryOf(options, site) } };
}

function queryOf({ month, from, to }: RangeOptions, { timezone: timeZone = 'UTC' }: Site) {
  const now = systemClock.now();
  const read = (name: 'from' | 'to', text: string | undefined) => {
    if (text === undefined) return {};
    const ms = parsePastTime(text, { now, timeZone });
    if (ms === undefined) throw new UsageError(`--${name} is not a valid time. Use ${pastTimeFormats}.`);
    return { [name]: formatTime(Math.floor(ms / quarterMs) * quarterMs) };
  };
  return { ...(month !== undefined && { month }), ...read('from', from), ...read('to', to) };
}

const bill = report('bill', {
  summary: 'Show the electricity bill of a site',
  options: rangeOptions,
  examples: ['bill', 'bill --month 2026-10', 'bill --site "My house" --from 2026-01-01 --to 2026-07-01 --csv'],
  async run({ options }, shell) {
    const { api, request } = await openRange(options, shell);
    const found = await api.call(getSiteBill, request);
    return { result: found, text: options.csv ? billCsv(found).trimEnd() : billText(found) };
  },
});

function billText(found: SiteBill): string {
  const { currency, timezone, coverage_pct, metadata, next_peak: next, projected } = found;
  const remarks = [
    ...(next
      ? [
          `A peak above ${formatNumber(next.above_kw)} kW costs ${formatMoney(next.cost_per_kw)} ${currency} for each kW.`,
        ]
      : []),
    ...(projected ? [`Projected: ${formatMoney(projected.total)} ${currency}. ${projected.assumed.join(' ')}`] : []),
    ...(coverage_pct < 100 ? [`The energy was measured for ${formatNumber(coverage_pct, 1)} % of the time.`] : []),
    describeSource(found),
    ...metadata.notes.map((note) => plainMessage(note, bill)),
  ];
  return [...billParagraphs(found, timezone), remarks.join('\n')].join('\n\n');
}

const savings = report('savings', {
  summary: 'Show what solar panels and batteries of a site saved',
  options: rangeOptions,
  examples: ['savings', 'savings --month 2026-06', 'savings --from 2026-01-01 --to 2026-11-01 --csv'],
  async run({ options }, shell) {
    const { api, request } = await openRange(options, shell);
    const found = await api.call(getSiteSavings, request);
    return { result: found, text: options.csv ? savingsCsv(found).trimEnd() : savingsText(found) };
  },
});

function savingsText(found: SiteSavings): string {
  const { timezone, from, to, currency, saved, self_consumption: used } = found;
  const clock = (time: string): string => formatLocalTime(timezone, Date.parse(time));
  const row = (name: string, total: number, difference?: number): string[] => [
    name,
    formatMoney(total),
    difference === undefined ? '' : formatMoney(difference),
  ];
  const rows = [
    ['', currency, 'SAVED'],
    row('Actual bill', found.actual),
    row('Without batteries', found.without_battery, saved.battery),
    row('Without solar panels', found.without_solar, saved.solar),
  ];
  return [
    `${clock(from)} to ${clock(to)} (${timezone})`,
    columns(rows, [1, 2]),
    [
      ...(used === null ? [] : [`${formatNumber(used, 1)} % of the solar energy was used in the house.`]),
      ...found.notes.map((note) => plainMessage(note, savings)),
    ].join('\n'),
  ]
    .filter(Boolean)
    .join('\n\n');
}

const carbon = report('carbon', {
  summary: 'Show the carbon dioxide of the imported energy of a site',
  options: rangeOptions,
  examples: ['carbon', 'carbon --month 2026-06', 'carbon --from 2026-01-01 --to 2026-11-01 --csv'],
  async run({ options }, shell) {
    const { api, request } = await openRange(options, shell);
    const found = await api.call(getSiteCarbon, request);
    return { result: found, text: options.csv ? carbonCsv(found).trimEnd() : carbonText(found) };
  },
});

function carbonText({ timezone, from, to, import_wh, carbon_g, covered_pct, provider }: SiteCarbon): string {
  const clock = (time: string): string => formatLocalTime(timezone, Date.parse(time));
  const imported = `${(import_wh / 1000).toFixed(3)} kWh imported`;
  const covered = `The carbon intensity is known for ${formatNumber(covered_pct ?? 0, 1)} % of the imported energy.`;
  const remarks =
    provider === null
      ? ['The operator of the platform has configured no source of carbon intensities for the price area of the site.']
      : [...((covered_pct ?? 100) < 100 ? [covered] : []), `Carbon intensities of ${provider}.`];
  return [
    `${clock(from)} to ${clock(to)} (${timezone})`,
    carbon_g === null ? `${imported}; carbon dioxide unknown` : `${imported}; ${formatMass(carbon_g)} carbon dioxide`,
    remarks.join('\n'),
  ].join('\n\n');
}

const formatMass = (grams: number): string => `${formatNumber(grams / 1000, 3)} kg`;

export const commands = [bill, savings, carbon];
