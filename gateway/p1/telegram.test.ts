import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTelegram } from './telegram.ts';

function meterOf(...lines: string[]) {
  const bytes = Buffer.from(`/ADN9 6534\r\n\r\n${lines.join('\r\n')}\r\n`);
  return readTelegram(bytes, 0, bytes.length, true).meter;
}

for (const { says, lines, meter } of [
  { says: 'power is import minus export', lines: ['1-0:1.7.0(0.100*kW)', '1-0:2.7.0(0.350*kW)'], meter: { W: -250 } },
  { says: 'export alone is negative', lines: ['1-0:2.7.0(0.350*kW)'], meter: { W: -350 } },
  { says: 'zero export says nothing about import', lines: ['1-0:2.7.0(0.000*kW)'], meter: {} },
  { says: 'zero import says nothing about export', lines: ['1-0:1.7.0(0.000*kW)'], meter: {} },
  { says: 'zero in both directions is 0, not -0', lines: ['1-0:1.7.0(0*kW)', '1-0:2.7.0(0*kW)'], meter: { W: 0 } },
  {
    says: 'net power has its sign',
    lines: ['1-0:16.7.0(-00123.5*W)', '1-0:36.7.0(+1*W)'],
    meter: { W: -123.5, L1_W: 1 },
  },
  {
    says: 'import and export take precedence over net power',
    lines: ['1-0:16.7.0(1*W)', '1-0:1.7.0(5*W)', '1-0:2.7.0(2*W)'],
    meter: { W: 3 },
  },
  {
    says: 'a total takes precedence over its tariffs',
    lines: ['1-0:1.8.1(1*kWh)', '1-0:1.8.0(7*kWh)'],
    meter: { total_import_Wh: 7000 },
  },
  {
    says: 'tariffs are added without rounding errors',
    lines: ['1-0:2.8.1(000000.1*kWh)', '1-0:2.8.2(000000.2*kWh)', '1-0:2.8.3(0.3*Wh)', '1-0:2.8.4(0*Wh)'],
    meter: { total_export_Wh: 300.3 },
  },
  {
    says: 'codes may have leading zeros',
    lines: ['01-00:01.08.00*255(1.5*kWh)', '1-0:01.07.00(2*kW)'],
    meter: { total_import_Wh: 1500, W: 2000 },
  },
  {
    says: 'units are case-insensitive',
    lines: ['1-0:1.8.0(1.5*KWH)', '1-0:1.7.0(2*KW)'],
    meter: { total_import_Wh: 1500, W: 2000 },
  },
  {
    says: 'decimal fractions are exact',
    lines: ['1-0:32.7.0(234.7*V)', '1-0:31.7.0(0.07*A)'],
    meter: { L1_V: 234.7, L1_A: 0.07 },
  },
  { says: 'a wrong unit is ignored', lines: ['1-0:1.7.0(1*kWh)', '1-0:1.8.0(1*m3)', '1-0:32.7.0(230)'], meter: {} },
  {
    says: 'an invalid number is ignored',
    lines: ['1-0:1.7.0(*kW)', '1-0:2.7.0(1.2.3*kW)', '1-0:32.7.0(--.-*V)'],
    meter: {},
  },
  {
    says: 'another billing period is ignored',
    lines: ['1-0:1.8.0*01(1*kWh)', '1-0:2.8.0*255(2*kWh)'],
    meter: { total_export_Wh: 2000 },
  },
  {
    says: 'gas, water and sub-meters are ignored',
    lines: ['0-1:1.8.0(1*kWh)', '0-1:24.2.1(240305140000W)(9*m3)', '7-0:1.8.0(3*kWh)'],
    meter: {},
  },
  {
    says: 'a line may have several data sets',
    lines: ['1-0:1.7.0(0*kW)1-0:2.7.0(0.350*kW)', '1-0:32.7.0(230*V)(1)1-0:31.7.0(2*A)'],
    meter: { W: -350, L1_V: 230, L1_A: -2 },
  },
  { says: 'the event log is ignored', lines: ['1-0:99.97.0(1)(0-0:96.7.19)(000104180320W)(0000237126*s)'], meter: {} },
  { says: 'a number with too many digits is ignored', lines: ['1-0:1.8.0(99999999999999999999*kWh)'], meter: {} },
]) {
  test(says, () => assert.deepEqual(meterOf(...lines), meter));
}
