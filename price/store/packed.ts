import { deflateRawSync, inflateRawSync } from 'node:zlib';

type Format = { perEuro: number; bytes: 2 | 4 };

/** Whole cents up to ±327 euro, which fits nearly all prices, else hundredths of a cent. The first byte is the format. */
const formats: readonly Format[] = [
  { perEuro: 1e2, bytes: 2 },
  { perEuro: 1e4, bytes: 4 },
];

const fits = (prices: readonly number[], { perEuro, bytes }: Format): boolean =>
  prices.every(
    (price) => Math.round(price * perEuro) / perEuro === price && Math.abs(price * perEuro) < 2 ** (bytes * 8 - 1),
  );

export function packPrices(prices: readonly number[]): Uint8Array {
  const format = formats.findIndex((each) => fits(prices, each));
  if (format < 0) throw new RangeError('A price is too large to store.');
  const { perEuro, bytes } = formats[format]!;
  const packed = Buffer.alloc(1 + prices.length * bytes);
  packed[0] = format;
  prices.forEach((price, n) => {
    packed.writeIntLE(Math.round(price * perEuro), 1 + n * bytes, bytes);
  });
  return packed;
}

export function unpackPrices(packed: Uint8Array): number[] {
  const { perEuro, bytes } = formats[packed[0]!]!;
  const view = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  return Array.from({ length: (packed.length - 1) / bytes }, (_, n) => view.readIntLE(1 + n * bytes, bytes) / perEuro);
}

const maxPoints = 100;

// Compression dictionary of the stored documents. Stored data depends on it, so it must never change.
const dictionary = Buffer.from(
  `<?xml version="1.0" encoding="utf-8"?>
<Publication_MarketDocument xmlns="urn:iec62325.351:tc57wg16:451-3:publicationdocument:7:3">
  <mRID>0123456789abcdef</mRID>
  <revisionNumber>1</revisionNumber>
  <type>A44</type>
  <sender_MarketParticipant.mRID codingScheme="A01">10X1001A1001A450</sender_MarketParticipant.mRID>
  <sender_MarketParticipant.marketRole.type>A32</sender_MarketParticipant.marketRole.type>
  <receiver_MarketParticipant.mRID codingScheme="A01">10X1001A1001A450</receiver_MarketParticipant.mRID>
  <receiver_MarketParticipant.marketRole.type>A33</receiver_MarketParticipant.marketRole.type>
  <createdDateTime>2026-01-01T11:57:00Z</createdDateTime>
  <period.timeInterval>
    <start>2026-01-01T22:00Z</start>
    <end>2026-01-02T23:00Z</end>
  </period.timeInterval>
  <TimeSeries>
    <mRID>1</mRID>
    <auction.type>A01</auction.type>
    <businessType>A62</businessType>
    <in_Domain.mRID codingScheme="A01">10Y1001A1001A46L</in_Domain.mRID>
    <out_Domain.mRID codingScheme="A01">10Y1001A1001A46L</out_Domain.mRID>
    <contract_MarketAgreement.type>A01</contract_MarketAgreement.type>
    <currency_Unit.name>EUR</currency_Unit.name>
    <price_Measure_Unit.name>MWH</price_Measure_Unit.name>
    <classificationSequence_AttributeInstanceComponent.position>1</classificationSequence_AttributeInstanceComponent.position>
    <curveType>A03</curveType>
    <Period>
      <timeInterval>
        <start>2026-01-01T23:00Z</start>
        <end>2026-01-02T23:00Z</end>
      </timeInterval>
      <resolution>PT15M</resolution>
${Array.from({ length: maxPoints }, (_, n) => pointOf(n + 1)).join('\n')}
    </Period>
  </TimeSeries>
</Publication_MarketDocument>
`,
);

function pointOf(position: number): string {
  return `      <Point>
        <position>${position}</position>
        <price.amount>${position}.${position % 10}</price.amount>
      </Point>`;
}

const maxBytes = 5_000_000;

export const packText = (text: string): Uint8Array => deflateRawSync(text, { level: 9, dictionary });

export const unpackText = (bytes: Uint8Array): string =>
  inflateRawSync(bytes, { dictionary, maxOutputLength: maxBytes }).toString();
