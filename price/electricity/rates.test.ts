import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from '#lib/log.ts';
import { createFakeClock } from '#test/fake-clock.ts';
import { createRates } from './rates.ts';
import { createUpstream } from './upstream.ts';

const daily = '<Envelope><Cube><Cube time="2026-11-13"><Cube currency="SEK" rate="11.2"/></Cube></Cube></Envelope>';

test('fetched rates are used even if the disk is full', async () => {
  const lines: string[] = [];
  let asked = 0;
  const rates = createRates(
    { url: 'http://bank/daily.xml' },
    {
      upstream: createUpstream(async () => {
        asked++;
        return new Response(daily);
      }),
      store: {
        rates: () => [],
        saveRates() {
          throw new Error('database or disk is full');
        },
      },
      clock: createFakeClock(Date.parse('2026-11-14T13:00Z')),
      log: createLog({ level: 'info', name: 'price', destination: { write: (line) => lines.push(line) } }),
    },
  );
  for (let n = 0; n < 3; n++) assert.equal((await rates.find('SEK'))?.perEuro, 11.2);
  assert.equal(asked, 1);
  assert.match(lines.join(''), /disk is full.*failed to store exchange rates/s);
});

test('rates are unavailable until the bank has answered once', async () => {
  let isReachable = false;
  const clock = createFakeClock(Date.parse('2026-11-14T13:00Z'));
  const rates = createRates(
    { url: 'http://bank/daily.xml', fixed: { NOK: 11.5 } },
    {
      upstream: createUpstream(async () => {
        if (!isReachable) throw new TypeError('fetch failed');
        return new Response(daily);
      }),
      store: { rates: () => [], saveRates() {} },
      clock,
      log: createLog({ level: 'silent', name: 'price' }),
    },
  );
  await assert.rejects(rates.find('SEK'), { code: 'unavailable' });
  await assert.rejects(rates.find('SEK'), { code: 'unavailable' }); // not asked again so soon
  assert.equal((await rates.find('NOK'))?.perEuro, 11.5);
  isReachable = true;
  clock.advance(300_000);
  assert.equal((await rates.find('SEK'))?.perEuro, 11.2);
  assert.equal(await rates.find('XXX'), undefined);
});
