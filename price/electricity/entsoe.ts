import { hourMs } from '#contract/time.ts';
import type { Area } from './areas.ts';
import { type MarketDaySpan, marketDay, type PricePoint } from './market-day.ts';
import { checkStatus, daysOfRange, type Source, SourceError, wholeDay } from './source.ts';
import type { Upstream } from './upstream.ts';
import { childrenOf, parseXml, textOf, type XmlElement } from './xml.ts';

type EntsoeOptions = Pick<Source, 'id' | 'name' | 'description'> & { url: string; token: string; upstream: Upstream };

const pageSize = 100;
const maxPages = 10;

/** Creates the source for the ENTSO-E Transparency Platform, which publishes day-ahead prices as A44 documents. */
export function createEntsoe({ url, token, upstream, ...who }: EntsoeOptions): Source {
  async function ask(area: Area, span: MarketDaySpan, signal: AbortSignal, offset?: number) {
    const address = new URL(url);
    const parameters = {
      documentType: 'A44',
      in_Domain: area.eic,
      out_Domain: area.eic,
      'contract_MarketAgreement.type': 'A01',
      periodStart: compact(span.start),
      periodEnd: compact(span.end),
      securityToken: token,
      ...(offset !== undefined && { offset: String(offset) }),
    };
    for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
    const { status, text, isSimulated } = await upstream.get(address, signal);
    checkStatus(status, 400); // "No data" comes with status 200, sometimes with 400.
    return { read: readA44(text, area.eic), text, isSimulated };
  }

  /** Fetches all documents that touch the span, page by page. */
  async function askInPages(area: Area, span: MarketDaySpan, signal: AbortSignal): Promise<A44Result> {
    const all: Exclude<A44Result, string> = { periods: [], seriesCount: 0 };
    for (let page = 0; page < maxPages; page++) {
      const { read } = await ask(area, span, signal, page * pageSize);
      if (read === 'too many') throw new SourceError('malformed', 'The platform has too many documents for this time.');
      if (read === 'none') break;
      all.periods.push(...read.periods);
      all.seriesCount += read.seriesCount;
      if (read.seriesCount < pageSize) break;
    }
    return all;
  }

  return {
    ...who,
    covers: ({ isPriced }) => isPriced,
    async fetchDay(area, date, signal) {
      const span = marketDay(area, date);
      const { read, text, isSimulated } = await ask(area, span, signal);
      const isPaged = read === 'too many';
      const known = isPaged ? await askInPages(area, span, signal) : read;
      if (typeof known === 'string') return undefined;
      const points = dayFromPeriods(known.periods, span);
      return points && { points, isSimulated, ...(!isPaged && { raw: text }) };
    },
    async fetchRange(area, range, signal) {
      const span = { start: marketDay(area, range.first).start, end: marketDay(area, range.last).end };
      const { read, isSimulated } = await ask(area, span, signal);
      const known = read === 'too many' ? await askInPages(area, span, signal) : read;
      if (typeof known === 'string') return new Map();
      const pointsOf = (day: MarketDaySpan) =>
        dayFromPeriods(
          known.periods.filter(
            ({ points }) => points[0] && points[0].start < day.end && points.at(-1)!.end > day.start,
          ),
          day,
        );
      return daysOfRange(area, range, pointsOf, isSimulated);
    },
  };
}

/** Formats an instant as YYYYMMDDhhmm in UTC. */
const compact = (at: number): string => new Date(at).toISOString().replace(/\D/g, '').slice(0, 12);

type Period = { sequence: number; stepMs: number; points: PricePoint[] };

/** A parsed response: prices, no prices, or too many documents for one response. */
type A44Result = { periods: Period[]; seriesCount: number } | 'none' | 'too many';

const steps: Record<string, number> = { PT15M: hourMs / 4, PT30M: hourMs / 2, PT60M: hourMs, PT1H: hourMs };
const namespace = 'urn:iec62325.351:'; // a version follows
const maxPeriodMs = 400 * 24 * hourMs;

/** Reads a day-ahead price document of any schema version, or the acknowledgement sent instead of one. */
export function readA44(text: string, eic: string): A44Result {
  const document = parseXml(text);
  if (!(document.attributes.get('xmlns') ?? namespace).startsWith(namespace))
    throw new SourceError('malformed', 'The response has an unknown XML namespace.');
  if (document.name === 'Acknowledgement_MarketDocument') return readAcknowledgement(document);
  if (document.name !== 'Publication_MarketDocument' || textOf(document, 'type') !== 'A44')
    throw new SourceError('malformed', `The response is not a price document but <${document.name.slice(0, 40)}>.`);
  const series = childrenOf(document, 'TimeSeries');
  return {
    periods: series.filter((each) => isDayAhead(each, eic)).flatMap(readSeries),
    seriesCount: series.length,
  };
}

const quartersFromMs = Date.parse('2025-09-30T22:00Z'); // the market switched to quarter-hours on 1 October 2025

/**
 * Returns the whole day from one series of periods. Sequence 1 is the coupled auction; that of another exchange, published
 * earlier in the day, is ignored. When hours and quarter-hours are both present, the market's own step at that date is used.
 */
export function dayFromPeriods(periods: readonly Period[], span: MarketDaySpan): PricePoint[] | undefined {
  const coupled = periods.filter(({ sequence }) => sequence === 1);
  const stepsHere = [...new Set(coupled.map(({ stepMs }) => stepMs))].sort((a, b) => a - b);
  for (const stepMs of span.start >= quartersFromMs ? stepsHere : stepsHere.toReversed()) {
    const byStart = new Map<number, PricePoint>(); // corrections come later in the document
    for (const period of coupled) {
      if (period.stepMs === stepMs) for (const point of period.points) byStart.set(point.start, point);
    }
    const day = wholeDay(span, [...byStart.values()]);
    if (day) return day;
  }
  return undefined;
}

function readAcknowledgement(document: XmlElement): 'none' | 'too many' {
  const [reason = ''] = childrenOf(document, 'Reason').map((each) => textOf(each, 'text'));
  if (/no matching data/i.test(reason)) return 'none';
  if (/exceeds the allowed maximum|exceeds allowed limit/i.test(reason)) return 'too many';
  throw new SourceError('malformed', 'The platform rejected the request.');
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
    return stepMs === undefined ? [] : [{ sequence, stepMs, points: readPoints(period, stepMs, isBlocks) }];
  });
}

function readPoints(period: XmlElement, stepMs: number, isBlocks: boolean): PricePoint[] {
  const [interval] = childrenOf(period, 'timeInterval');
  const start = Date.parse((interval && textOf(interval, 'start')) ?? '');
  const end = Date.parse((interval && textOf(interval, 'end')) ?? '');
  const count = (end - start) / stepMs;
  if (!(Number.isInteger(count) && count > 0 && end - start <= maxPeriodMs))
    throw new SourceError('malformed', 'A period is not a multiple of its resolution.');

  const prices = new Map<number, number>();
  for (const point of childrenOf(period, 'Point')) {
    const position = Number(textOf(point, 'position'));
    if (!(Number.isInteger(position) && position >= 1 && position <= count) || prices.has(position))
      throw new SourceError('malformed', 'A position is outside its period or repeated.');
    const price = textOf(point, 'price.amount') ?? '';
    if (!/^[+-]?\d{1,9}(\.\d{1,9})?$/.test(price)) throw new SourceError('malformed', 'A price is not a number.');
    prices.set(position, Number(price));
  }

  const points: PricePoint[] = [];
  let price: number | undefined;
  for (let position = 1; position <= count; position++) {
    // Curve type A03 omits a price that equals the one before.
    price = prices.get(position) ?? (isBlocks ? price : undefined);
    const from = start + (position - 1) * stepMs;
    if (price !== undefined) points.push({ start: from, end: from + stepMs, eur_per_mwh: price });
  }
  return points;
}
