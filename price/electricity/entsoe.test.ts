import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { dayFromPeriods, readA44 } from './entsoe.ts';
import { marketDay } from './market-day.ts';
import { SourceError } from './source.ts';

const eic = '10Y1001A1001A46L';
const brussels = { timeZone: 'Europe/Brussels' };
const steps = { PT15M: 15, PT30M: 30, PT60M: 60 };

type Series = {
  date?: string;
  resolution?: keyof typeof steps;
  curve?: 'A01' | 'A03' | undefined;
  sequence?: number;
  /** the price at a position; undefined leaves it out */
  price?: (position: number) => number | string | undefined;
  domain?: string;
  currency?: string;
};

function seriesOf({
  date = '2026-03-10',
  resolution = 'PT15M',
  curve = 'A01',
  sequence,
  price = (position) => position,
  domain = eic,
  currency = 'EUR',
}: Series): string {
  const { start, end } = marketDay(brussels, date);
  const count = (end - start) / 60_000 / steps[resolution];
  const points = Array.from({ length: count }, (_, n) => ({ position: n + 1, price: price(n + 1) }))
    .filter((point) => point.price !== undefined)
    .map((point) => `<Point><position>${point.position}</position><price.amount>${point.price}</price.amount></Point>`);
  const name = 'classificationSequence_AttributeInstanceComponent.position';
  return `<TimeSeries><mRID>1</mRID><in_Domain.mRID codingScheme="A01">${domain}</in_Domain.mRID>
    <currency_Unit.name>${currency}</currency_Unit.name><price_Measure_Unit.name>MWH</price_Measure_Unit.name>
    ${sequence ? `<${name}>${sequence}</${name}>` : ''}<curveType>${curve}</curveType>
    <Period><timeInterval><start>${minute(start)}</start><end>${minute(end)}</end></timeInterval>
    <resolution>${resolution}</resolution>${points.join('')}</Period></TimeSeries>`;
}

const minute = (at: number): string => `${new Date(at).toISOString().slice(0, 16)}Z`;

const documentOf = (series: Series[], version = '7:3'): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
  <Publication_MarketDocument xmlns="urn:iec62325.351:tc57wg16:451-3:publicationdocument:${version}"><type>A44</type>
  ${series.map(seriesOf).join('\n')}</Publication_MarketDocument>`;

/** Reads the prices of a day from a document. */
function pricesIn(text: string, date = '2026-03-10'): number[] | undefined {
  const read = readA44(text, eic);
  assert.ok(typeof read === 'object');
  return dayFromPeriods(read.periods, marketDay(brussels, date))?.map(({ eur_per_mwh }) => eur_per_mwh);
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n + 1);

suite('a price document', () => {
  const old = { date: '2025-01-15', resolution: 'PT60M' } as const;
  const firstOfEight = (position: number) => ((position - 1) % 8 === 0 ? position : undefined);
  for (const { says, series, version, date = '2026-03-10', prices } of [
    { says: 'with quarters', series: [{}], prices: upTo(96) },
    { says: 'of an older schema', series: [{}], version: '7:0', prices: upTo(96) },
    { says: 'with half-hours', series: [{ resolution: 'PT30M' }], prices: upTo(48) },
    { says: 'with hours, before quarter-hours were introduced', series: [old], date: old.date, prices: upTo(24) },
    { says: 'of 23 hours', series: [{ date: '2026-03-29' }], date: '2026-03-29', prices: upTo(92) },
    { says: 'of 25 hours', series: [{ date: '2026-10-25' }], date: '2026-10-25', prices: upTo(100) },
    {
      says: 'in blocks: an omitted price repeats the previous one',
      series: [{ curve: 'A03', price: firstOfEight }],
      prices: upTo(96).map((n) => n - ((n - 1) % 8)),
    },
    {
      says: 'of one block',
      series: [{ curve: 'A03', price: (n) => (n === 1 ? -1.5 : undefined) }],
      prices: upTo(96).map(() => -1.5),
    },
    {
      says: 'in blocks without the first price',
      series: [{ curve: 'A03', price: (n) => (n > 1 ? n : undefined) }],
      prices: undefined,
    },
    { says: 'with a gap', series: [{ price: (n) => (n === 50 ? undefined : n) }], prices: undefined },
    {
      says: 'of two auctions: the coupled one counts, in any order',
      series: [{ sequence: 2, price: () => 7 }, { sequence: 1 }],
      prices: upTo(96),
    },
    { says: 'of the other auction only', series: [{ sequence: 2 }], prices: undefined },
    {
      says: 'with hours and quarters: quarters since October 2025',
      series: [{ resolution: 'PT60M', price: () => 7 }, {}],
      prices: upTo(96),
    },
    {
      says: 'with hours and quarters: hours before',
      series: [{ ...old, resolution: 'PT15M', price: () => 7 }, old],
      date: old.date,
      prices: upTo(24),
    },
    {
      says: 'with whole hours beside incomplete quarters: never mixed',
      series: [{ price: (n) => (n === 3 ? undefined : n) }, { resolution: 'PT60M', price: () => 7 }],
      prices: upTo(24).map(() => 7),
    },
    { says: 'with a correction: the later price counts', series: [{ price: () => 7 }, {}], prices: upTo(96) },
    {
      says: 'with the days before and after',
      series: [{ date: '2026-03-09' }, {}, { date: '2026-03-11' }],
      prices: upTo(96),
    },
    { says: 'of another day', series: [{ date: '2026-03-11' }], prices: undefined },
    { says: 'of another area', series: [{ domain: '10YFI-1--------U' }], prices: undefined },
    { says: 'in another currency', series: [{ currency: 'PLN' }], prices: undefined },
    { says: 'without series', series: [], prices: undefined },
    {
      says: 'with negative prices and prices with many decimals',
      series: [{ price: () => -499.12346 }],
      prices: upTo(96).map(() => -499.1235),
    },
  ] satisfies { says: string; series: Series[]; version?: string; date?: string; prices: number[] | undefined }[]) {
    test(says, () => assert.deepEqual(pricesIn(documentOf(series, version), date), prices));
  }

  for (const { says, text } of [
    { says: 'a price that is not a number', text: documentOf([{ price: () => 'free' }]) },
    { says: 'a price with an exponent', text: documentOf([{ price: () => '1e2' }]) },
    { says: 'a price outside the limits of the market', text: documentOf([{ price: () => 6000 }]) },
    { says: 'a repeated position', text: documentOf([{}]).replace('<position>2<', '<position>1<') },
    { says: 'a position outside the period', text: documentOf([{}]).replace('<position>96<', '<position>97<') },
    { says: 'a position that is not a number', text: documentOf([{}]).replace('<position>2<', '<position>two<') },
    { says: 'a period that ends before it begins', text: documentOf([{}]).replace(/<end>2026/, '<end>2016') },
    { says: 'a period without an end', text: documentOf([{}]).replace(/<end>[^<]*<\/end>/, '') },
    { says: 'a period of a hundred years', text: documentOf([{}]).replace(/<end>2026/, '<end>2126') },
    { says: 'another namespace', text: documentOf([{}]).replace('urn:iec62325.351', 'urn:other') },
    { says: 'another kind of document', text: documentOf([{}]).replace('>A44<', '>A65<') },
    { says: 'a web page', text: '<html><body>Maintenance</body></html>' },
  ]) {
    test(`with ${says} is refused`, () => assert.throws(() => pricesIn(text), SourceError));
  }
});

suite('an acknowledgement instead of prices', () => {
  const acknowledgement = (reason: string, version = '7:0'): string =>
    `<Acknowledgement_MarketDocument xmlns="urn:iec62325.351:tc57wg16:451-1:acknowledgementdocument:${version}">
    <Reason><code>999</code><text>${reason}</text></Reason></Acknowledgement_MarketDocument>`;

  for (const { reason, version, means } of [
    { reason: 'No matching data found for Data item ENERGY_PRICES [12.1.D].', means: 'none' },
    { reason: 'No matching data found for Data item Day-ahead Prices', version: '8:1', means: 'none' },
    { reason: 'The number of instances (149) exceeds the allowed maximum (100).', means: 'too many' },
    { reason: 'The amount of requested data exceeds allowed limit.', means: 'too many' },
  ]) {
    test(`"${reason}" means ${means}`, () => assert.equal(readA44(acknowledgement(reason, version), eic), means));
  }

  test('with any other reason is an error', () => {
    assert.throws(() => readA44(acknowledgement('Input parameter does not exist: periodStart'), eic), SourceError);
  });
});
