import { quarterMs } from '#contract/cloud/energy.ts';
import { askWhatIf, type WhatIf } from '#contract/cloud/plans.ts';
import type { Site } from '#contract/cloud/sites.ts';
import { formatTime } from '#contract/time.ts';
import { dateAt } from '#contract/time-zone.ts';
import { systemClock } from '#lib/clock.ts';
import { type Option, UsageError } from '../line/command.ts';
import { plainMessage } from '../line/plain-message.ts';
import { energyOption, parsePower } from '../line/quantity.ts';
import { report } from '../line/report.ts';
import { parsePastTime, pastTimeFormats } from '../line/time.ts';
import { formatMoney } from '../prices/bill-text.ts';
import { openSession } from '../sign-in/session.ts';
import { findSite, siteOption } from '../sites/find-site.ts';
import { columns } from '../terminal/output.ts';

const power = (help: string) =>
  ({
    value: 'POWER',
    help,
    read(text: string, name: string): number {
      const watts = parsePower(text);
      if (watts === undefined) throw new UsageError(`${name} must be a power such as 6kW.`);
      return watts;
    },
  }) as const satisfies Option;

const whatIf = report('plan what-if', {
  summary: 'Calculate the last year with another battery, roof or tariff',
  options: {
    site: siteOption,
    battery: energyOption('usable capacity of the battery, such as 10kWh; 0kWh for none. Default: the present one'),
    'battery-power': power('power of the battery, such as 5kW. Default: half of the capacity per hour'),
    solar: power('peak power of the roof, such as 6kW; 0W for none. Default: the present one'),
    tariff: { value: 'TARIFF', help: 'id of a grid tariff, from tariffs find. Default: the present one' },
    from: { value: 'TIME', help: `start: ${pastTimeFormats}. Default: a year before the end` },
    to: { value: 'TIME', help: 'end. Default: the start of today' },
  },
  fields: { battery_wh: 'battery', battery_w: 'battery-power', solar_w: 'solar', tariff_id: 'tariff' },
  examples: ['plan what-if --battery 10kWh', 'plan what-if --solar 6kW --battery 0kWh', 'plan what-if'],
  async run({ options }, shell) {
    const api = await openSession(shell);
    const site = await findSite(api, options.site);
    const found = await api.call(askWhatIf, {
      params: { site_id: site.id },
      body: {
        ...(options.battery !== undefined && { battery_wh: options.battery }),
        ...(options['battery-power'] !== undefined && { battery_w: options['battery-power'] }),
        ...(options.solar !== undefined && { solar_w: options.solar }),
        ...(options.tariff !== undefined && { tariff_id: options.tariff }),
        ...instant('from', options.from, site),
        ...instant('to', options.to, site),
      },
    });
    return { result: found, text: whatIfText(found, site) };
  },
});

function instant(name: 'from' | 'to', text: string | undefined, { timezone: timeZone = 'UTC' }: Site) {
  if (text === undefined) return {};
  const ms = parsePastTime(text, { now: systemClock.now(), timeZone });
  if (ms === undefined) throw new UsageError(`--${name} is not a valid time. Use ${pastTimeFormats}.`);
  return { [name]: formatTime(Math.floor(ms / quarterMs) * quarterMs) };
}

function whatIfText(
  { from, to, currency, actual, self_consumption, planned, saved, assumed }: WhatIf,
  { timezone }: Site,
): string {
  const [first, last] = [Date.parse(from), Date.parse(to) - 1].map((ms) => dateAt(timezone, ms));
  const row = (name: string, { total, import_wh, export_wh }: WhatIf['actual']): string[] => [
    name,
    formatMoney(total),
    (import_wh / 1000).toFixed(0),
    (export_wh / 1000).toFixed(0),
  ];
  const rows = [
    ['', currency, 'KWH BOUGHT', 'KWH SOLD'],
    row('As it was', actual),
    row('With the changes', self_consumption),
    row('With the changes and plans', planned),
  ];
  const difference = `${formatMoney(Math.abs(saved))} ${currency}`;
  return [
    `${first} to ${last}`,
    columns(rows, [1, 2, 3]),
    saved < 0 ? `You would have paid ${difference} more.` : `You would have saved ${difference}.`,
    assumed.map((sentence) => plainMessage(sentence, whatIf)).join('\n'),
  ].join('\n\n');
}

export const siteCommands = [whatIf];
