import { createHash } from 'node:crypto';
import { dayMs, formatTime } from '#contract/time.ts';
import type { PricedInterval } from './charges.ts';
import { putDecimal } from './decimal-bytes.ts';
import { fits, type IntervalForm, makeForm, putAmounts } from './interval-form.ts';
import type { Terms } from './terms.ts';

/** JSON text with intervals in it, not written yet. */
export type IntervalText = {
  /** differs whenever the text does */
  etag: string;
  write(): Buffer;
};

type Frame = { before: string; after: string };

/**
 * A year of quarter-hours is 20 MB of text. All but a few bytes of an interval are those of another one, so they are
 * copied, and the digits put in: a tenth of what a general serializer takes.
 */
export function intervalText(terms: Terms, intervals: readonly PricedInterval[], frame: Frame): IntervalText {
  const content = contentOf(terms, intervals);
  return { etag: tagOf(content, frame), write: () => write(content, frame) };
}

/** What the text is made of. */
type Content = {
  /** intervals in a row that have the same form, of which there are few */
  runs: { form: IntervalForm; count: number }[];
  /** of each interval: when it begins and ends, and its amounts */
  numbers: Float64Array;
};

function contentOf(terms: Terms, intervals: readonly PricedInterval[]): Content {
  const forms: IntervalForm[] = [];
  const runs: Content['runs'] = [];
  const most = intervals.reduce((sum, { charges }) => sum + charges.length + 6, 0);
  const numbers = new Float64Array(most);
  const amounts: number[] = [];
  let length = 0;
  for (const interval of intervals) {
    putAmounts(terms, interval, amounts);
    const run = runs.at(-1);
    if (run && fits(run.form, interval, amounts)) run.count++;
    else {
      let form = forms.find((each) => fits(each, interval, amounts));
      if (!form) {
        form = makeForm(terms, interval, amounts);
        forms.push(form);
      }
      runs.push({ form, count: 1 });
    }
    numbers[length++] = interval.start;
    numbers[length++] = interval.end;
    for (const amount of amounts) numbers[length++] = amount;
  }
  return { runs, numbers: numbers.subarray(0, length) };
}

function tagOf({ runs, numbers }: Content, { before }: Frame): string {
  const hash = createHash('sha1').update(before).update(numbers);
  const numberOf = new Map<IntervalForm, number>();
  for (const { form, count } of runs) {
    if (!numberOf.has(form)) hash.update(form.bytes);
    const number = numberOf.get(form) ?? numberOf.size;
    numberOf.set(form, number);
    hash.update(`${number} ${count} `);
  }
  return `"${hash.digest('base64url')}"`;
}

function write({ runs, numbers }: Content, { before, after }: Frame): Buffer {
  const [head, tail] = [Buffer.from(before), Buffer.from(after)];
  const inside = runs.reduce((sum, { form, count }) => sum + form.bytes.length * count, 0);
  const text = Buffer.allocUnsafe(head.length + inside - 1 + tail.length); // the last interval has no comma
  const putTime = createTimePutter(text);
  text.set(head);
  let place = head.length;
  let next = 0;
  for (const { form, count } of runs) {
    const { bytes, start, end, rooms } = form;
    for (let n = 0; n < count; n++) {
      text.set(bytes, place);
      putTime(place + start, numbers[next++]!);
      putTime(place + end, numbers[next++]!);
      for (const { after: edge } of rooms) putDecimal(text, place + edge, numbers[next++]!);
      place += bytes.length;
    }
  }
  text.set(tail, text.length - tail.length);
  return text;
}

const quarterMs = 900_000;
const dateLength = 11; // with the T

/** Writes instants that lie on quarter-hours, most of a day after each other. */
function createTimePutter(text: Buffer): (place: number, ms: number) => void {
  const times = Array.from({ length: dayMs / quarterMs }, (_, quarter) =>
    Buffer.from(formatTime(quarter * quarterMs).slice(dateLength, dateLength + 5)),
  );
  let day: number | undefined;
  let date = Buffer.alloc(dateLength);
  return (place, ms) => {
    const current = Math.floor(ms / dayMs);
    if (current !== day) {
      day = current;
      date = Buffer.from(formatTime(current * dayMs).slice(0, dateLength));
    }
    for (let n = 0; n < dateLength; n++) text[place + n] = date[n]!;
    const time = times[(ms - current * dayMs) / quarterMs]!;
    for (let n = 0; n < time.length; n++) text[place + dateLength + n] = time[n]!;
  };
}
