import { hourMs, minuteMs } from '#contract/time.ts';
import type { Domain } from './domains.ts';
import { type MarketDay, marketDays, type Price } from './market-days.ts';

const maxSeries = 100;
const maxRangeMs = 366 * 24 * hourMs;
const curve = { A01: 'A01', A03: 'A03' } as const;

type PriceQuery = { from: number; to: number; now: number; offset: number | undefined };

/** Formats the day-ahead prices of all days in the range as an ENTSO-E document; an acknowledgement without any. */
export function publication(domain: Domain | undefined, { from, to, now, offset }: PriceQuery): string {
  if (!(to > from)) return acknowledgement('Input parameter does not exist: periodEnd');
  if (to - from > maxRangeMs)
    return acknowledgement('The amount of requested data exceeds allowed limit. Requested: 2 years.');
  if (!domain) return acknowledgement(noData);
  const series = marketDays(domain, from, to).flatMap((day) => seriesOf(domain, day, now));
  if (series.length === 0) return acknowledgement(noData);
  if (offset === undefined && series.length > maxSeries)
    return acknowledgement(`The number of instances (${series.length}) exceeds the allowed maximum (${maxSeries}).`);
  const shown = series.slice(offset ?? 0, (offset ?? 0) + maxSeries);
  return shown.length === 0 ? acknowledgement(noData) : document(shown, { from, to, now });
}

const noData = 'No matching data found for Data item ENERGY_PRICES [12.1.D].';

type Series = { eic: string; day: MarketDay; prices: readonly Price[]; stepMs: number; sequence: 1 | 2 | undefined };

/** Germany and Austria have a second, earlier auction; western Denmark also publishes hourly prices. */
function seriesOf({ eic, names, seed }: Domain, day: MarketDay, now: number): Series[] {
  const { stepMs, prices } = day;
  const hasSecond = names.includes('de') || names.includes('at');
  const series: Series[] = [];
  if (hasSecond && now >= day.publishedAt - 2.5 * hourMs) {
    const other = prices.map((price) => ({ ...price, price: Math.round(price.price * 90 + (seed % 7) * 100) / 100 }));
    series.push({ eic, day, prices: other, stepMs, sequence: 2 });
  }
  if (now < day.publishedAt) return series;
  if (names.includes('DK1') && stepMs < hourMs)
    series.push({ eic, day, prices: hours(prices), stepMs: hourMs, sequence: undefined });
  return [...series, { eic, day, prices, stepMs, sequence: hasSecond ? 1 : undefined }];
}

const hours = (prices: readonly Price[]): Price[] =>
  prices
    .filter(({ start }) => start % hourMs === 0)
    .map((first, n) => {
      const mean = prices.slice(n * 4, n * 4 + 4).reduce((sum, { price }) => sum + price / 4, 0);
      return { start: first.start, end: first.start + hourMs, price: Math.round(mean * 100) / 100 };
    });

function document(series: readonly Series[], { from, to, now }: Omit<PriceQuery, 'offset'>): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<!-- Simulated market: these prices are not real -->
<Publication_MarketDocument xmlns="urn:iec62325.351:tc57wg16:451-3:publicationdocument:7:3">
  <mRID>simulated-${from.toString(36)}</mRID>
  <revisionNumber>1</revisionNumber>
  <type>A44</type>
  <sender_MarketParticipant.mRID codingScheme="A01">10X1001A1001A450</sender_MarketParticipant.mRID>
  <sender_MarketParticipant.marketRole.type>A32</sender_MarketParticipant.marketRole.type>
  <receiver_MarketParticipant.mRID codingScheme="A01">10X1001A1001A450</receiver_MarketParticipant.mRID>
  <receiver_MarketParticipant.marketRole.type>A33</receiver_MarketParticipant.marketRole.type>
  <createdDateTime>${new Date(now).toISOString().slice(0, 19)}Z</createdDateTime>
  <period.timeInterval>
    <start>${minute(from)}</start>
    <end>${minute(to)}</end>
  </period.timeInterval>
${series.map(timeSeries).join('\n')}
</Publication_MarketDocument>
`;
}

function timeSeries({ eic, day, prices, stepMs, sequence }: Series, index: number): string {
  // Since the change to quarter-hours, equal prices are merged into blocks (A03).
  const curveType = stepMs < hourMs ? curve.A03 : curve.A01;
  const shown = prices
    .map(({ price }, n) => ({ position: n + 1, price, isSame: n > 0 && prices[n - 1]?.price === price }))
    .filter(({ isSame }) => curveType === curve.A01 || !isSame);
  const position = 'classificationSequence_AttributeInstanceComponent.position';
  return `  <TimeSeries>
    <mRID>${index + 1}</mRID>
    <auction.type>A01</auction.type>
    <businessType>A62</businessType>
    <in_Domain.mRID codingScheme="A01">${eic}</in_Domain.mRID>
    <out_Domain.mRID codingScheme="A01">${eic}</out_Domain.mRID>
    <contract_MarketAgreement.type>A01</contract_MarketAgreement.type>
    <currency_Unit.name>EUR</currency_Unit.name>
    <price_Measure_Unit.name>MWH</price_Measure_Unit.name>
${sequence ? `    <${position}>${sequence}</${position}>\n` : ''}    <curveType>${curveType}</curveType>
    <Period>
      <timeInterval>
        <start>${minute(day.start)}</start>
        <end>${minute(day.end)}</end>
      </timeInterval>
      <resolution>PT${stepMs / minuteMs}M</resolution>
${shown.map(point).join('\n')}
    </Period>
  </TimeSeries>`;
}

const point = ({ position, price }: { position: number; price: number }): string => `      <Point>
        <position>${position}</position>
        <price.amount>${price}</price.amount>
      </Point>`;

const acknowledgement = (reason: string): string => `<?xml version="1.0" encoding="UTF-8"?>
<Acknowledgement_MarketDocument xmlns="urn:iec62325.351:tc57wg16:451-1:acknowledgementdocument:7:0">
  <mRID>simulated</mRID>
  <Reason>
    <code>999</code>
    <text>${reason}</text>
  </Reason>
</Acknowledgement_MarketDocument>
`;

const minute = (at: number): string => `${new Date(at).toISOString().slice(0, 16)}Z`;
