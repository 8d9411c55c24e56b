import { hourMs } from '#contract/time.ts';
import type { Span } from './market-day.ts';
import type { PricePoint } from './prices.ts';
import { SourceError, wholeDay } from './source.ts';
import { childrenOf, parseXml, textOf, type XmlElement } from './xml.ts';

/** The prices of one period of a series. */
type Period = { sequence: number; stepMs: number; points: PricePoint[] };

/** What an answer of the market says: prices, that there are none, or that they are too many for one answer. */
export type A44 = { periods: Period[]; seriesCount: number } | 'none' | 'too many';

const steps: Record<string, number> = { PT15M: hourMs / 4, PT30M: hourMs / 2, PT60M: hourMs, PT1H: hourMs };
const anyNamespace = 'urn:iec62325.351:';
const namespaces = /^urn:iec62325\.351:/; // the version at its end has changed before
const longestPeriodMs = 400 * 24 * hourMs;

/** Reads a day-ahead price document of any schema version, or the acknowledgement that stands in its place. */
export function readA44(text: string, eic: string): A44 {
  const document = parseXml(text);
  if (!namespaces.test(document.attributes.get('xmlns') ?? anyNamespace))
    throw new SourceError('malformed', 'The answer has a namespace that is not of the market.');
  if (document.name === 'Acknowledgement_MarketDocument') return readAcknowledgement(document);
  if (document.name !== 'Publication_MarketDocument' || textOf(document, 'type') !== 'A44')
    throw new SourceError('malformed', `The answer is no price document but <${document.name.slice(0, 40)}>.`);
  const series = childrenOf(document, 'TimeSeries');
  return {
    periods: series.filter((each) => isDayAhead(each, eic)).flatMap(readSeries),
    seriesCount: series.length,
  };
}

/**
 * The whole day from one series of periods. Sequence 1 is the coupled auction; another exchange's, which comes earlier in the
 * day, is not taken for it. Where hours and quarters stand side by side, the market's own step of that time is taken.
 */
export function dayOfPeriods(periods: readonly Period[], span: Span): PricePoint[] | undefined {
  const coupled = periods.filter(({ sequence }) => sequence === 1);
  const stepsHere = [...new Set(coupled.map(({ stepMs }) => stepMs))].sort((a, b) => a - b);
  for (const stepMs of span.start >= quartersFrom ? stepsHere : stepsHere.toReversed()) {
    const byStart = new Map<number, PricePoint>(); // a correction follows what it corrects
    for (const period of coupled) {
      if (period.stepMs === stepMs) for (const point of period.points) byStart.set(point.start, point);
    }
    const day = wholeDay(span, [...byStart.values()]);
    if (day) return day;
  }
  return undefined;
}

const quartersFrom = Date.parse('2025-09-30T22:00Z'); // the market went over to quarter-hours on 1 October 2025

function readAcknowledgement(document: XmlElement): 'none' | 'too many' {
  const reason = childrenOf(document, 'Reason').map((each) => textOf(each, 'text') ?? '')[0] ?? '';
  if (/no matching data/i.test(reason)) return 'none';
  if (/exceeds the allowed maximum|exceeds allowed limit/i.test(reason)) return 'too many';
  throw new SourceError('malformed', 'The market did not understand the question.');
}

function isDayAhead(series: XmlElement, eic: string): boolean {
  const isOr = (name: string, value: string): boolean => (textOf(series, name) ?? value).toUpperCase() === value;
  return (
    isOr('in_Domain.mRID', eic) &&
    isOr('out_Domain.mRID', eic) &&
    isOr('contract_MarketAgreement.type', 'A01') &&
    isOr('currency_Unit.name', 'EUR') &&
    isOr('price_Measure_Unit.name', 'MWH')
  );
}

function readSeries(series: XmlElement): Period[] {
  const sequence = Number(textOf(series, 'classificationSequence_AttributeInstanceComponent.position') ?? 1);
  const isBlocks = textOf(series, 'curveType') === 'A03';
  return childrenOf(series, 'Period').flatMap((period) => {
    const stepMs = steps[textOf(period, 'resolution') ?? ''];
    return stepMs === undefined ? [] : [readPeriod(period, { sequence, stepMs, isBlocks })];
  });
}

function readPeriod(
  period: XmlElement,
  { sequence, stepMs, isBlocks }: { sequence: number; stepMs: number; isBlocks: boolean },
): Period {
  const [interval] = childrenOf(period, 'timeInterval');
  const start = Date.parse((interval && textOf(interval, 'start')) ?? '');
  const end = Date.parse((interval && textOf(interval, 'end')) ?? '');
  const count = (end - start) / stepMs;
  if (!(Number.isInteger(count) && count > 0 && end - start <= longestPeriodMs))
    throw new SourceError('malformed', 'A period does not fit its resolution.');

  const prices = new Map<number, number>();
  for (const point of childrenOf(period, 'Point')) {
    const position = Number(textOf(point, 'position'));
    if (!(Number.isInteger(position) && position >= 1 && position <= count) || prices.has(position))
      throw new SourceError('malformed', 'A position does not fit its period.');
    prices.set(position, readPrice(textOf(point, 'price.amount')));
  }

  const points: PricePoint[] = [];
  let price: number | undefined;
  for (let position = 1; position <= count; position++) {
    // A curve of blocks leaves out a price that is the same as the one before.
    price = prices.get(position) ?? (isBlocks ? price : undefined);
    const from = start + (position - 1) * stepMs;
    if (price !== undefined) points.push({ start: from, end: from + stepMs, eur_per_mwh: price });
  }
  return { sequence, stepMs, points };
}

function readPrice(text = ''): number {
  if (!/^[+-]?\d{1,9}(\.\d{1,9})?$/.test(text)) throw new SourceError('malformed', 'A price is no number.');
  return Number(text);
}
