import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { listEnergyDers } from '#cloud/store/energy.ts';
import { engines } from '#test/cloud/open-cloud.ts';
import { Account } from './account.ts';
import { enrol } from './enrol.ts';
import { type HomeDer, openLedgerHome } from './testing/ledger-home.ts';

const now = Date.parse('2026-06-01T10:00:00Z');
const accountOf = ({ no, derType, deviceType }: HomeDer, site_id: string, afterAt = 0): Account =>
  new Account({ no, site_id, der_type: derType, device_type: deviceType }, { heardAt: now, afterAt });
const metersFrom = (first: number, count: number): HomeDer[] =>
  Array.from({ length: count }, (_, i) => ({ no: first + i, derType: 'meter', deviceType: 'energy_meter' }));

for (const { engine, skip } of engines) {
  describe(`entering DERs in the ledger on ${engine}`, { skip }, () => {
    test('processes that enter the same DERs at once give each of them one slot', async (t) => {
      const home = await openLedgerHome(t, { engine, now });
      const ders = metersFrom(1, 20);
      await home.addSite('house', ders);
      const other = engine === 'postgres' ? await home.openRegistry() : home.registry; // a file belongs to one process
      const enrolled = await Promise.all(
        [home.registry, other].flatMap((store) => ders.map((der, i) => enrol(store, accountOf(der, 'house'), now + i))),
      );
      const rows = await listEnergyDers(home.registry.db, 'house');
      const slots = Array.from(ders, (_, i) => i);
      assert.deepEqual(
        rows.map(({ slot }) => slot),
        slots,
      );
      assert.deepEqual(
        rows.map(({ der_no }) => der_no).toSorted((a, b) => a! - b!),
        ders.map(({ no }) => no),
      );
      for (const [i, row] of enrolled.entries()) assert.equal(row?.der_no, ders[i % ders.length]?.no);
    });

    test('a DER that moves gets another place, and another when it returns', async (t) => {
      const home = await openLedgerHome(t, { engine, now });
      const [meter] = metersFrom(1, 1);
      await home.addSite('house', [meter!]);
      await home.addSite('cabin', []);
      const enter = (site: string, at: number, afterAt = 0) =>
        enrol(home.registry, accountOf(meter!, site, afterAt), at);
      const move = (site_id: string) =>
        home.registry.write(({ db }) => db.updateTable('devices').set({ site_id }).execute());
      assert.equal(await enter('cabin', now), undefined, 'it is not there');
      const first = await enter('house', now);
      assert.deepEqual([first?.slot, first?.after_at, first?.since], [0, 0, now]);
      assert.deepEqual(await enter('house', now + 5), first);
      await move('cabin');
      const second = await enter('cabin', now + 10, now + 9);
      assert.deepEqual([second?.slot, second?.after_at, second?.since], [0, now + 9, now + 10]);
      await move('house');
      const third = await enter('house', now + 20);
      assert.deepEqual([third?.slot, third?.after_at, third?.since], [1, 0, now + 20]);
    });

    test('a site has room for 1000 DERs', async (t) => {
      const home = await openLedgerHome(t, { engine, now });
      const ders = metersFrom(1, 2);
      await home.addSite('house', ders);
      await enrol(home.registry, accountOf(ders[0]!, 'house'), now);
      await home.registry.write(({ db }) => db.updateTable('energy_ders').set({ slot: 999 }).execute());
      assert.equal(await enrol(home.registry, accountOf(ders[1]!, 'house'), now), undefined);
    });
  });
}
