import { hourMs } from '#contract/time.ts';
import type { Area } from '../electricity/areas.ts';
import { lastFetchedAt, type PriceDay } from '../electricity/market-day.ts';

const namespace = 'urn:iec62325.351:tc57wg16:451-3:publicationdocument:7:3';
const resolutions: Readonly<Record<number, string>> = {
  [hourMs]: 'PT60M',
  [hourMs / 2]: 'PT30M',
  [hourMs / 4]: 'PT15M',
};

const minute = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16)}Z`;

function interval(name: string, days: readonly PriceDay[]): string {
  const points = days.flatMap((day) => day.points);
  const start = Math.min(...points.map((point) => point.start));
  const end = Math.max(...points.map((point) => point.end));
  return `<${name}><start>${minute(start)}</start><end>${minute(end)}</end></${name}>`;
}

/** Writes days as a market document (A44, IEC 62325-451-3), with the source of each day in a comment. */
export function marketDocument(area: Area, days: readonly PriceDay[]): string {
  const createdAt = lastFetchedAt(days);
  return `<?xml version="1.0" encoding="UTF-8"?>
<Publication_MarketDocument xmlns="${namespace}">
<mRID>${createdAt.toString(16).padStart(32, '0')}</mRID>
<revisionNumber>1</revisionNumber>
<type>A44</type>
<sender_MarketParticipant.mRID codingScheme="A01">OHMSTEAD</sender_MarketParticipant.mRID>
<sender_MarketParticipant.marketRole.type>A32</sender_MarketParticipant.marketRole.type>
<receiver_MarketParticipant.mRID codingScheme="A01">OHMSTEAD</receiver_MarketParticipant.mRID>
<receiver_MarketParticipant.marketRole.type>A33</receiver_MarketParticipant.marketRole.type>
<createdDateTime>${new Date(createdAt).toISOString().slice(0, 19)}Z</createdDateTime>
${interval('period.timeInterval', days)}
${days.map((day, n) => timeSeries(area, day, n + 1)).join('\n')}
</Publication_MarketDocument>
`;
}

function timeSeries({ eic }: Area, day: PriceDay, number: number): string {
  const { points, source } = day;
  const [resolution] = points.map(({ start, end }) => resolutions[end - start]);
  return `<TimeSeries>
<!-- ${source.replace(/-{2,}/g, '-')} -->
<mRID>${number}</mRID>
<auction.type>A01</auction.type>
<businessType>A62</businessType>
<in_Domain.mRID codingScheme="A01">${eic}</in_Domain.mRID>
<out_Domain.mRID codingScheme="A01">${eic}</out_Domain.mRID>
<contract_MarketAgreement.type>A01</contract_MarketAgreement.type>
<currency_Unit.name>EUR</currency_Unit.name>
<price_Measure_Unit.name>MWH</price_Measure_Unit.name>
<curveType>A01</curveType>
<Period>
${interval('timeInterval', [day])}
<resolution>${resolution}</resolution>
${points.map(({ eur_per_mwh }, n) => `<Point><position>${n + 1}</position><price.amount>${decimal(eur_per_mwh)}</price.amount></Point>`).join('\n')}
</Period>
</TimeSeries>`;
}

/** Formats a number without an exponent, which the schema does not allow. */
const decimal = (price: number): string => price.toFixed(4).replace(/\.?0+$/, '');
