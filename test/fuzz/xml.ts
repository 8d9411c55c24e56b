import { hourMs } from '#contract/time.ts';
import { createRandom, damage, type Random } from '#gateway/p1/testing/fuzz-damage.ts';
import { dayFromPeriods, readA44 } from '#price/electricity/entsoe.ts';
import type { PricePoint } from '#price/electricity/market-day.ts';
import { type MarketDaySpan, marketDay } from '#price/electricity/market-day.ts';
import { SourceError } from '#price/electricity/source.ts';
import { XmlError } from '#price/electricity/xml.ts';
import { publication } from '#sim/market/a44.ts';
import { findNamed } from '#sim/market/domains.ts';
import type { FuzzReport } from './fuzz-report.ts';
import { inWords, saidPrices } from './xml-reference.ts';

type Sound = { text: string; eic: string; span: MarketDaySpan };
type Read = (text: string, eic: string, span: MarketDaySpan) => readonly PricePoint[] | undefined;

const suspiciousMs = 20;

/** Hours and quarters, blocks and single prices, two auctions, and days of 23 and 25 hours. */
const sound: readonly Sound[] = [
  ['SE3', '2026-01-14'],
  ['SE3', '2025-03-30'],
  ['FI', '2024-10-27'],
  ['DE-LU', '2025-06-10'],
  ['DK1', '2025-11-03'],
  ['CH', '2026-03-29'],
].map(([name, date]) => {
  const domain = findNamed(name!)!;
  const span = marketDay({ timeZone: 'Europe/Brussels' }, date!);
  const now = span.end + 30 * 24 * hourMs;
  return {
    text: publication(domain, { from: span.start, to: span.end, now, offset: undefined }),
    eic: domain.eic,
    span,
  };
});

export const readDay: Read = (text, eic, span) => {
  const read = readA44(text, eic);
  return typeof read === 'object' ? dayFromPeriods(read.periods, span) : undefined;
};

/** Damaged market documents: a whole day of prices that they contain, or nothing. */
export function fuzzXml(seed: number, cases: number, read: Read = readDay): FuzzReport {
  const random = createRandom(seed);
  const report: FuzzReport = { cases, frames: 0, wrong: [], slowestMs: 0 };
  for (let done = 0; done < cases; done++) {
    const { text, eic, span } = sound[random.below(sound.length)]!;
    const document = random.below(20) ? changed(text, random) : text;
    const { day, fault, tookMs } = look(document, eic, span, read);
    if (day) report.frames++;
    const wrong = fault ?? (day ? faultOf(day, document, eic, span) : document === text ? 'missed a day' : undefined);
    if (wrong) report.wrong.push(`${wrong} in ${eic} of ${new Date(span.start).toISOString()}, case ${done}`);
    let slowestMs = tookMs;
    for (let again = 0; again < 3 && slowestMs > suspiciousMs; again++) {
      slowestMs = Math.min(slowestMs, look(document, eic, span, read).tookMs);
    }
    report.slowestMs = Math.max(report.slowestMs, slowestMs);
  }
  return report;
}

type Looked = { day?: readonly PricePoint[] | undefined; fault?: string; tookMs: number };

function look(document: string, eic: string, span: MarketDaySpan, read: Read): Looked {
  const began = performance.now();
  try {
    const day = read(document, eic, span);
    return { day, tookMs: performance.now() - began };
  } catch (error) {
    const isReason = error instanceof SourceError || error instanceof XmlError;
    return { ...(!isReason && { fault: `threw ${String(error)}` }), tookMs: performance.now() - began };
  }
}

function faultOf(
  day: readonly PricePoint[],
  document: string,
  eic: string,
  { start, end }: MarketDaySpan,
): string | undefined {
  const said = saidPrices(document, eic);
  let at = start;
  for (const point of day) {
    if (point.start !== at) return 'a gap';
    if (!(point.eur_per_mwh >= -500 && point.eur_per_mwh <= 5000)) return `the price ${point.eur_per_mwh}`;
    if (said?.has(inWords({ ...point, price: point.eur_per_mwh })) === false)
      return `a price that is not in the document at ${point.start}`;
    at = point.end;
  }
  return at === end ? undefined : 'a part of a day';
}

const snippets = [
  '<!DOCTYPE a [<!ENTITY b "c">]>',
  '&b;',
  '&#65;',
  '<![CDATA[1]]>',
  '<!--',
  '-->',
  '<?x ?>',
  '<a>'.repeat(40),
  '<Point><position>1</position><price.amount>1</price.amount></Point>',
  '</Period></TimeSeries>',
  '<curveType>A03</curveType>',
  '<resolution>PT60M</resolution>',
  '<position>999999999</position>',
];
const words = [
  '0',
  '-1',
  '1e5',
  '4999.99999',
  '5001',
  '-500',
  'NaN',
  '',
  ' 7 ',
  '0x10',
  '1,5',
  'A01',
  'A03',
  'USD',
].concat([
  'KWH',
  'PT15M',
  'PT60M',
  'PT1H',
  'P1D',
  '2026-01-13T23:00Z',
  '1970-01-01T00:00Z',
  '+10000-01-01T00:00Z',
  '24',
  '96',
]);

/** Changes a text inside an element, inserts a piece, or damages bytes. */
function changed(text: string, random: Random): string {
  const kind = random.below(4);
  if (kind === 0) return damage(Buffer.from(text), random).toString();
  const at = random.below(text.length);
  if (kind === 1) return text.slice(0, at) + snippets[random.below(snippets.length)]! + text.slice(at);
  const open = text.indexOf('>', at) + 1;
  const close = text.indexOf('<', open);
  if (open === 0 || close < 0) return text.slice(0, at);
  if (kind === 2) return text.slice(0, open) + words[random.below(words.length)]! + text.slice(close);
  const old = text.slice(open, close);
  return text.slice(0, open) + old.replace(/\d/, String(random.below(10))) + text.slice(close);
}
