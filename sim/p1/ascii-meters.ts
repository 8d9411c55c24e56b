import { crc16 } from '../crc16.ts';
import { localTime, type MeterValues } from './meter-values.ts';

/** Encodes a telegram; from DSMR 4 on it ends with a CRC from the slash to the exclamation mark. */
function telegram(identification: string, lines: readonly string[], { hasCrc = true } = {}): Buffer {
  const body = `/${identification}\r\n\r\n${lines.map((line) => `${line}\r\n`).join('')}!`;
  const crc = crc16(Buffer.from(body, 'latin1'), 0xa001, 0).toString(16).toUpperCase().padStart(4, '0');
  return Buffer.from(`${body}${hasCrc ? crc : ''}\r\n`, 'latin1');
}

/** Formats a number with leading zeros. */
function digits(value: number, before: number, after: number): string {
  const length = before + (after ? after + 1 : 0);
  return value.toFixed(after).padStart(length, '0');
}

function timestamp(at: number): string {
  const { wall, isSummer } = localTime(at);
  return wall.toISOString().slice(2, 19).replace(/\D/g, '') + (isSummer ? 'S' : 'W');
}

/** Encodes an equipment number as hex of its characters. */
const hexText = (text: string): string => Buffer.from(text, 'latin1').toString('hex').toUpperCase();

const kW = (W: number, before = 2): string => `${digits(W / 1000, before, 3)}*kW`;
const kWh = (Wh: number, before = 6): string => `${digits(Wh / 1000, before, 3)}*kWh`;

function tariffs({ import_Wh, export_Wh }: MeterValues, unit: (Wh: number) => string): string[] {
  const [low, high] = [Math.floor(import_Wh * 0.45), Math.floor(export_Wh * 0.3)];
  return [
    `1-0:1.8.1(${unit(low)})`,
    `1-0:1.8.2(${unit(import_Wh - low)})`,
    `1-0:2.8.1(${unit(high)})`,
    `1-0:2.8.2(${unit(export_Wh - high)})`,
  ];
}

/** Formats a line per phase; `quantity` is the C part of L1, plus 20 for each further phase. */
const perPhase = (
  { phases }: MeterValues,
  quantity: number,
  value: (phase: MeterValues['phases'][number]) => string,
): string[] => phases.map((phase, index) => `1-0:${quantity + 20 * index}.7.0(${value(phase)})`);

const powers = ({ import_W, export_W }: MeterValues, unit: (W: number) => string = kW): string[] => [
  `1-0:1.7.0(${unit(import_W)})`,
  `1-0:2.7.0(${unit(export_W)})`,
];

const volts = (meter: MeterValues): string[] => perPhase(meter, 32, ({ V }) => `${digits(V, 3, 1)}*V`);
const amperes = (meter: MeterValues, after: number): string[] =>
  perPhase(meter, 31, ({ A }) => `${digits(A, 3, after)}*A`);

const phasePowers = (meter: MeterValues, before = 2): string[] => [
  ...perPhase(meter, 21, ({ import_W }) => kW(import_W, before)),
  ...perPhase(meter, 22, ({ export_W }) => kW(export_W, before)),
];

const failures = [
  '0-0:96.7.21(00002)',
  '0-0:96.7.9(00001)',
  '1-0:99.97.0(1)(0-0:96.7.19)(250101010203W)(0000000301*s)',
  ...[32, 52, 72].flatMap((quantity) => [`1-0:${quantity}.32.0(00000)`, `1-0:${quantity}.36.0(00000)`]),
];

export const dsmr22 = (meter: MeterValues): Buffer =>
  telegram(
    'ISk5\\2SIM382-1004',
    [
      `0-0:96.1.1(${hexText('SIM22')})`,
      ...tariffs(meter, (Wh) => kWh(Wh, 5)),
      '0-0:96.14.0(0001)',
      ...powers(meter, (W) => `${digits(W / 1000, 4, 2)}*kW`),
      '0-0:17.0.0(0999.00*kW)',
      '0-0:96.3.10(1)',
      '0-0:96.13.1()',
      '0-0:96.13.0()',
      '0-1:24.1.0(3)',
      '0-1:96.1.0(000000000000)',
      `0-1:24.3.0(${timestamp(meter.at).slice(0, 8)}0000)(00)(60)(1)(0-1:24.2.1)(m3)`,
      '(00123.456)',
      '0-1:24.4.0(1)',
    ],
    { hasCrc: false },
  );

export const dsmr42 = (meter: MeterValues): Buffer =>
  telegram('KFM5SIM-METER', [
    '1-3:0.2.8(42)',
    `0-0:1.0.0(${timestamp(meter.at)})`,
    `0-0:96.1.1(${hexText('SIM42KAIFA0000001')})`,
    ...tariffs(meter, kWh),
    '0-0:96.14.0(0002)',
    ...powers(meter),
    ...failures,
    '0-0:96.13.1()',
    '0-0:96.13.0()',
    ...amperes(meter, 0),
    ...phasePowers(meter),
    '0-1:24.1.0(003)',
    `0-1:96.1.0(${hexText('SIMGAS0000000001')})`,
    `0-1:24.2.1(${timestamp(meter.at)})(00981.443*m3)`,
  ]);

export const dsmr5 = (meter: MeterValues): Buffer =>
  telegram('ISK5\\2SIM382-1000', [
    '1-3:0.2.8(50)',
    `0-0:1.0.0(${timestamp(meter.at)})`,
    `0-0:96.1.1(${hexText('SIM50ISKRA000001')})`,
    ...tariffs(meter, kWh),
    '0-0:96.14.0(0002)',
    ...powers(meter),
    ...failures,
    '0-0:96.13.0()',
    ...volts(meter),
    ...amperes(meter, 2),
    ...phasePowers(meter),
    '0-1:24.1.0(003)',
    `0-1:96.1.0(${hexText('SIMGAS0000000002')})`,
    `0-1:24.2.1(${timestamp(meter.at)})(00000.107*m3)`,
  ]);

export const belgian = (meter: MeterValues): Buffer =>
  telegram('FLU5\\SIM769484_A', [
    '0-0:96.1.4(50217)',
    `0-0:96.1.1(${hexText('SIMFLU00000001')})`,
    `0-0:1.0.0(${timestamp(meter.at)})`,
    ...tariffs(meter, kWh),
    `1-0:1.4.0(${kW(meter.import_W)})`,
    `1-0:1.6.0(${timestamp(meter.at)})(${kW(4589)})`,
    `0-0:98.1.0(1)(1-0:1.6.0)(1-0:1.6.0)(${timestamp(meter.at)})(${timestamp(meter.at)})(03.695*kW)`,
    '0-0:96.14.0(0001)',
    ...powers(meter),
    ...phasePowers(meter),
    ...volts(meter),
    ...amperes(meter, 2),
    '0-0:96.3.10(1)',
    '0-0:17.0.0(999.9*kW)',
    '1-0:31.4.0(999*A)',
    '0-0:96.13.0()',
  ]);

export const swedish = (meter: MeterValues): Buffer =>
  telegram('ADN9 SIM6534', [
    `0-0:1.0.0(${timestamp(meter.at)})`,
    `1-0:1.8.0(${kWh(meter.import_Wh, 8)})`,
    `1-0:2.8.0(${kWh(meter.export_Wh, 8)})`,
    '1-0:3.8.0(00003137.803*kVArh)',
    '1-0:4.8.0(00000269.488*kVArh)',
    ...powers(meter, (W) => kW(W, 4)),
    '1-0:3.7.0(0000.000*kVAr)',
    '1-0:4.7.0(0000.132*kVAr)',
    ...phasePowers(meter, 4),
    ...volts(meter),
    ...amperes(meter, 1),
  ]);

/** Luxembourg uses W and Wh. */
export const luxembourgish = (meter: MeterValues): Buffer =>
  telegram('EST5\\SIM710000_A', [
    '1-3:0.2.8(50)',
    `0-0:1.0.0(${timestamp(meter.at)})`,
    `1-0:1.8.0(${digits(meter.import_Wh, 9, 0)}*Wh)`,
    `1-0:2.8.0(${digits(meter.export_Wh, 9, 0)}*Wh)`,
    ...tariffs(meter, (Wh) => `${digits(Wh, 9, 0)}*Wh`),
    ...powers(meter, (W) => `${digits(W, 9, 0)}*W`),
    '1-0:3.8.0(000000747*varh)',
    '1-0:3.7.0(000000000*var)',
    '1-0:4.8.0(003897726*varh)',
    '1-0:4.7.0(000000166*var)',
  ]);
