import { getCheapest, steps } from '#contract/price/total.ts';
import { formatTime } from '#contract/time.ts';
import { systemClock } from '#lib/clock.ts';
import { command } from '../line/command.ts';
import { plainMessage } from '../line/plain-message.ts';
import { comingForms, comingInstantOf, localTime } from '../line/time-range.ts';
import { UsageError } from '../line/usage-error.ts';
import { numberOf, termOptions, termsOf } from '../prices/money-options.ts';
import { areaArgument, findPlace, placeFields, placeOptions, priceClient } from '../prices/price-terms.ts';
import { areaWords, showPrice, sourceWords } from '../prices/price-words.ts';
import { columns, printResult } from '../terminal/output.ts';

const name = 'price cheapest';

export const priceCheapest = command({
  name,
  summary: 'The cheapest hours in a row, by the total price of a kilowatt-hour',
  arguments: [areaArgument],
  fields: placeFields,
  options: {
    ...placeOptions,
    hours: { value: 'HOURS', says: 'how long, for example 3 or 1.5. Default 3' },
    after: { value: 'TIME', says: `when they may begin: ${comingForms}. Default now` },
    before: { value: 'TIME', says: 'when they must be over. Default as far as prices are known' },
    resolution: { value: 'STEP', oneOf: steps, says: 'quarters or hours. Default PT15M' },
    ...termOptions,
  },
  examples: [
    'price cheapest SE3',
    'price cheapest SE3 --hours 2 --before 07:00',
    'price cheapest --site "My house" --json',
  ],
  async run({ arguments: given, options }, shell) {
    const { query, tariffId, timeZone } = await findPlace({ arguments: given, options }, shell, name);
    const timeOf = (option: 'after' | 'before', text: string): string => {
      const ms = comingInstantOf(text, { now: systemClock.now(), timeZone });
      if (ms === undefined) throw new UsageError(`--${option} is not a time; write ${comingForms}.`, name);
      return formatTime(ms);
    };
    const client = await priceClient(options, shell);
    const answer = await client.call(getCheapest, {
      query: {
        ...query,
        ...termsOf(options, tariffId, name),
        hours: numberOf('hours', options.hours ?? '3', name),
        ...(options.after !== undefined && { after: timeOf('after', options.after) }),
        ...(options.before !== undefined && { before: timeOf('before', options.before) }),
        ...(options.resolution && { resolution: options.resolution }),
      },
    });
    const { currency, start, end, average, intervals, metadata } = answer;
    const clock = (time: string): string => localTime(timeZone, Date.parse(time));
    const vat = metadata.vat_percent > 0 ? `with ${metadata.vat_percent} % VAT` : 'without VAT';
    const text = [
      `Cheapest in ${areaWords(answer)}: ${clock(start)} to ${clock(end)} (${timeZone}).`,
      `${showPrice(average)} ${currency} for a kWh on average, ${vat}.`,
      '',
      columns(intervals.map((each) => [clock(each.start), showPrice(each.total)])),
      '',
      sourceWords(answer),
      ...metadata.notes.map((note) => plainMessage(note, priceCheapest)),
    ];
    printResult(shell, options.json, answer, text.join('\n'));
  },
});
