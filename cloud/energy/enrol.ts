import { quarterMs } from '#contract/cloud/energy.ts';
import { getDer } from '../store/devices.ts';
import {
  findRegisteredDer,
  insertEnergyDer,
  listEnergyDers,
  listPlacesOfDer,
  widenEnergyDer,
} from '../store/energy.ts';
import type { EnergyDerRow } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { Account } from './account.ts';
import { type Entry, writeEntries } from './book.ts';

/** Limit of the DERs of a site, over time: the energy of a quarter is computed from all of them. */
const maxSlots = 1000;

const maxRaces = 20;

/** Returns the row of a DER in the ledger of its site, and creates it for a new one, or one that has moved. */
export async function enrol(
  store: Store,
  { place, afterAt }: Account,
  firstAt: number,
): Promise<EnergyDerRow | undefined> {
  const { no, site_id, der_type, device_type } = place;
  for (let races = 0; races < maxRaces; races++) {
    const places = await listPlacesOfDer(store.db, no);
    const [last] = places;
    const isHere = last?.site_id === site_id && last.der_type === der_type && last.device_type === device_type;
    if (isHere) return last;
    const after = last ? Math.max(last.last_at, afterAt) : 0;
    const row = await store.statement((db) =>
      insertEnergyDer(db, no, site_id, der_type, device_type, after, firstAt, places.length, maxSlots),
    );
    if (row) return row;
    const registered = await findRegisteredDer(store.db, no);
    const lastSlot = (await listEnergyDers(store.db, site_id)).at(-1)?.slot ?? -1;
    if (registered?.site_id !== site_id || lastSlot + 1 >= maxSlots) return undefined;
  }
  throw new Error(
    `The DER ${no} was not entered in the energy ledger: other processes took ${maxRaces} slots before it.`,
  );
}

/** The energy of a DER by the quarter of an hour (Wh), measured completely. */
export type ImportedEnergy = { der_id: string; in: Float64Array; out: Float64Array };

/** Enters energy of past quarters without readings, from `from` on: from another system, or for a demonstration. */
export async function importDays(
  store: Store,
  siteId: string,
  from: number,
  ders: readonly ImportedEnergy[],
): Promise<void> {
  const first = from / quarterMs;
  if (!Number.isInteger(first)) throw new RangeError('Imported energy must begin on a quarter of an hour.');
  const entries: Entry[] = [];
  const times: { slot: number; to: number }[] = [];
  for (const { der_id, in: inWh, out } of ders) {
    const { no } = await getDer(store.db, der_id);
    const registered = await findRegisteredDer(store.db, no);
    if (registered?.site_id !== siteId) throw new Error(`The DER ${der_id} is not at the site ${siteId}.`);
    const der = await enrol(store, new Account(registered, { heardAt: 0, afterAt: 0 }), from);
    if (!der) throw new Error('The ledger of the site has no room for another DER.');
    const records = Array.from(inWh, (energy, i) => ({
      quarter: first + i,
      in: energy,
      out: out[i] ?? 0,
      estimated: 0,
      coveredMs: quarterMs,
      readings: 0,
      chain: undefined,
    }));
    entries.push({ slot: der.slot, from: first, to: first + inWh.length, records });
    times.push({ slot: der.slot, to: from + inWh.length * quarterMs - 1 });
  }
  await store.write(async ({ db }) => {
    for (const { slot, to } of times) await widenEnergyDer(db, siteId, slot, from, to);
  });
  await writeEntries(store, siteId, entries, 0);
}
