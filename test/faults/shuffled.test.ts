import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { openReportingHome } from './reporting-home.ts';

const count = 120;
const stepMs = 10_000;

test('readings that arrive out of order, late and repeatedly produce the same history as a clean run', async (t) => {
  const { cloud, ada, site, serial, gateway } = await openReportingHome(t);
  const [from, to] = [cloud.clock.now() - count * stepMs, cloud.clock.now()];
  const readings = Array.from({ length: count }, (_, index) => ({
    timestamp: from + index * stepMs,
    W: -((index * 7919) % 5000),
    total_generation_Wh: 1000 + index * 3,
  }));

  let devices = 0;
  async function historyAfter(sent: typeof readings): Promise<unknown[]> {
    const hardware_id = `INV-${devices++}`;
    const device = await cloud.provision(ada, site, serial, { hardware_id });
    const der = device.ders.find(({ name }: { name: string }) => name === 'pv').id as string;
    await Promise.all(sent.map((reading) => gateway.report(hardware_id, 'pv', reading)));
    const ask = async (resolution: string) => {
      const query = `from=${from}&to=${to}&resolution=${resolution}`;
      return (await cloud.call('GET', `/ders/${der}/telemetry?${query}`, { as: ada })).body.points;
    };
    const { latest } = (await cloud.call('GET', `/ders/${der}`, { as: ada })).body;
    return [latest.timestamp, latest.W, await ask('raw'), await ask('1m'), await ask('15m')];
  }

  const clean = await historyAfter(readings);
  assert.equal((clean[2] as unknown[]).length, count);
  const disorder = fc
    .tuple(
      fc.shuffledSubarray(readings, { minLength: count }),
      fc.array(fc.constantFrom(...readings), { maxLength: 60 }),
    )
    .chain(([all, again]) => fc.shuffledSubarray([...all, ...again], { minLength: count + again.length }));
  await fc.assert(
    fc.asyncProperty(disorder, async (sent) => assert.deepEqual(await historyAfter(sent), clean)),
    { numRuns: 15 },
  );
});
