import { getCheapest, steps } from '#contract/price/total.ts';
import { formatTime } from '#contract/time.ts';
import { systemClock } from '#lib/clock.ts';
import { type Command, UsageError } from '../line/command.ts';
import { plainMessage } from '../line/plain-message.ts';
import { defaultedNumber } from '../line/quantity.ts';
import { report } from '../line/report.ts';
import { formatLocalTime, futureTimeFormats, parseFutureTime } from '../line/time.ts';
import { located, openTotals, totalOptions } from '../prices/price-options.ts';
import { describeArea, describeSource, describeVat, formatPrice } from '../prices/price-words.ts';
import { columns } from '../terminal/output.ts';

export const priceCheapest: Command = report('price cheapest', {
  summary: 'Find the cheapest consecutive hours by total price',
  ...located,
  options: {
    ...totalOptions,
    hours: defaultedNumber('HOURS', 'duration, for example 3 or 1.5', 3),
    after: { value: 'TIME', help: `earliest start: ${futureTimeFormats}. Default: now` },
    before: { value: 'TIME', help: 'latest end. Default: the end of the known prices' },
    resolution: { value: 'STEP', oneOf: steps, help: 'quarter-hours or hours. Default PT15M' },
  },
  examples: [
    'price cheapest SE3',
    'price cheapest SE3 --hours 2 --before 07:00',
    'price cheapest --site "My house" --json',
  ],
  async run({ arguments: given, options }, shell) {
    const { place, terms, client } = await openTotals({ arguments: given, options }, shell);
    const { timeZone } = place;
    const timeOf = (option: 'after' | 'before') => {
      const text = options[option];
      if (text === undefined) return {};
      const ms = parseFutureTime(text, { now: systemClock.now(), timeZone });
      if (ms === undefined) throw new UsageError(`--${option} is not a valid time. Use ${futureTimeFormats}.`);
      return { [option]: formatTime(ms) };
    };
    const answer = await client.call(getCheapest, {
      query: {
        ...place.query,
        ...terms,
        hours: options.hours,
        ...timeOf('after'),
        ...timeOf('before'),
        ...(options.resolution && { resolution: options.resolution }),
      },
    });
    const { currency, start, end, average, intervals, metadata } = answer;
    const clock = (time: string): string => formatLocalTime(timeZone, Date.parse(time));
    const text = [
      `Cheapest in ${describeArea(answer)}: ${clock(start)} to ${clock(end)} (${timeZone}).`,
      `${formatPrice(average)} ${currency} for a kWh on average, ${describeVat(metadata)}.`,
      '',
      columns(intervals.map((each) => [clock(each.start), formatPrice(each.total)])),
      '',
      describeSource(answer),
      ...metadata.notes.map((note) => plainMessage(note, priceCheapest)),
    ];
    return { result: answer, text };
  },
});
