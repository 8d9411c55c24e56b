import { dayMs } from '#contract/time.ts';
import { noise } from '../house/noise.ts';

/** Units of each currency per euro. */
const levels = [
  'USD 1.09, JPY 163, BGN 1.9558, CZK 24.9, DKK 7.46, GBP 0.86, HUF 402, PLN 4.27, RON 5.04',
  'SEK 11.1, CHF 0.95, ISK 146, NOK 11.7, TRY 46, AUD 1.7, BRL 6.2, CAD 1.52, CNY 7.8, HKD 8.5',
  'IDR 17800, ILS 3.9, INR 96, KRW 1550, MXN 21, MYR 4.7, NZD 1.85, PHP 63, SGD 1.45, THB 36',
  'ZAR 19.6',
].flatMap((line) => line.split(', '));

/** Formats the daily exchange rates of the ECB, of the last working day. */
export function exchangeRates(now: number): string {
  const at = lastWorkingDay(now);
  const cubes = levels.map((line, index) => {
    const [currency, level] = line.split(' ');
    const rate = Number(level) * (0.985 + 0.03 * noise(index, at, 20 * dayMs));
    return `      <Cube currency='${currency}' rate='${Number(rate.toPrecision(5))}'/>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
  <gesmes:subject>Simulated market: these rates are not real</gesmes:subject>
  <Cube>
    <Cube time='${new Date(at).toISOString().slice(0, 10)}'>
${cubes.join('\n')}
    </Cube>
  </Cube>
</gesmes:Envelope>
`;
}

function lastWorkingDay(now: number): number {
  const day = new Date(now).getUTCDay();
  const back = day === 0 ? 2 : day === 6 ? 1 : 0;
  return Math.floor(now / dayMs) * dayMs - back * dayMs;
}
