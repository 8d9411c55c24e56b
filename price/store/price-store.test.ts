import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite, test } from 'node:test';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { packPrices, packText, unpackPrices, unpackText } from './packed.ts';
import { openPriceStore, type PriceDay } from './price-store.ts';

const eic = '10Y1001A1001A46L';
const start = Date.parse('2026-03-09T23:00Z');
const stepMs = 900_000;
const day: PriceDay = {
  date: '2026-03-10',
  points: Array.from({ length: 96 }, (_, n) => ({
    start: start + n * stepMs,
    end: start + (n + 1) * stepMs,
    eur_per_mwh: (n - 48) * 10.25,
  })),
  source: 'ENTSO-E',
  isSimulated: false,
  fetchedAt: 1,
};

const onDamaged = () => assert.fail('nothing is damaged');

suite('the price store', () => {
  test('keeps days, their documents and rates across a restart', async (t) => {
    const dataDir = temporaryFolder(t);
    const first = openPriceStore({ dataDir, onDamaged });
    assert.equal(first.lastFetchedAt(), undefined);
    first.saveDay(eic, { ...day, date: '2026-03-11', isSimulated: true, fetchedAt: 2 });
    first.saveDay(eic, day, '<a>å</a>');
    first.saveRates([{ currency: 'SEK', perEuro: 11.1234, date: '2026-03-10', source: 'European Central Bank' }]);
    first.close();

    const second = openPriceStore({ dataDir, onDamaged });
    assert.deepEqual(second.findDay(eic, day.date), day);
    assert.equal(second.findRaw(eic, day.date), '<a>å</a>');
    assert.equal(second.findDay(eic, '2026-03-11')?.isSimulated, true);
    assert.equal(second.findRaw(eic, '2026-03-11'), undefined);
    assert.equal(second.findDay(eic, '2026-03-12'), undefined);
    assert.equal(second.rates()[0]?.perEuro, 11.1234);
    assert.deepEqual(second.areasSince('2026-03-11'), [eic]);
    assert.deepEqual(second.areasSince('2026-03-12'), []);
    assert.equal(second.lastFetchedAt(), 2);
    second.close();
  });

  test('is created again if its creation was interrupted', (t) => {
    const execute = DatabaseSync.prototype.exec;
    let isWhole = false;
    for (let calls = 0; !isWhole; calls++) {
      const dataDir = temporaryFolder(t);
      let left = calls;
      const cut = t.mock.method(DatabaseSync.prototype, 'exec', function (this: DatabaseSync, sql: string) {
        if (left-- === 0) throw new Error('cut short');
        execute.call(this, sql);
      });
      try {
        openPriceStore({ dataDir, onDamaged }).close();
        isWhole = true;
      } catch (error) {
        assert.match(String(error), /cut short/);
      }
      cut.mock.restore();
      const store = openPriceStore({ dataDir, onDamaged });
      store.saveDay(eic, day);
      assert.deepEqual(store.findDay(eic, day.date), day);
      store.close();
    }
  });

  test('moves a damaged file aside and starts a new one', async (t) => {
    const dataDir = temporaryFolder(t);
    writeFileSync(join(dataDir, 'prices.db'), 'this text is not a database '.repeat(200));
    const told: string[] = [];
    const store = openPriceStore({ dataDir, onDamaged: (file) => told.push(file) });
    store.saveDay(eic, day);
    assert.ok(store.findDay(eic, day.date));
    store.close();
    assert.equal(told.length, 1);
    assert.ok((await readdir(dataDir)).includes('prices.db.damaged'));
  });

  test('packs every price of four decimals without loss', () => {
    const prices = [-500, -0.0001, 0, 0.0001, 12.34, 4999.9999, 5000];
    assert.deepEqual(unpackPrices(packPrices(prices)), prices);
  });

  test('packs and unpacks text', () => {
    const text = '<?xml version="1.0"?><a>strømmen</a>'.repeat(100);
    assert.equal(unpackText(packText(text)), text);
    assert.ok(packText(text).length < 200);
  });
});
