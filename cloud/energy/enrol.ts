import { quarterMs } from '#contract/cloud/energy.ts';
import { getDer } from '../store/devices.ts';
import { findEnergyDer, findRegisteredDer, insertEnergyDer, listEnergyDers, widenEnergyDer } from '../store/energy.ts';
import type { EnergyDerRow } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { Account } from './account.ts';
import { type Entry, writeEntries } from './book.ts';

/** Limit of the DERs of a site, over time: the energy of a quarter is computed from all of them. */
const maxSlots = 1000;

/** Returns the row of a DER in the ledger of its site, and creates it for a new one, or one that has moved. */
export async function enrol(
  store: Store,
  { place, afterAt }: Account,
  firstAt: number,
): Promise<EnergyDerRow | undefined> {
  const { no, site_id, der_type, device_type } = place;
  const isHere = (row: EnergyDerRow): boolean =>
    row.site_id === site_id && row.der_type === der_type && row.device_type === device_type;
  const known = await findEnergyDer(store.db, no);
  if (known && isHere(known)) return known;
  return store.write(async ({ db }) => {
    const last = await findEnergyDer(db, no);
    if (last && isHere(last)) return last;
    const registered = await findRegisteredDer(db, no);
    const others = await listEnergyDers(db, site_id);
    const slot = (others.at(-1)?.slot ?? -1) + 1;
    if (registered?.site_id !== site_id || slot >= maxSlots) return undefined;
    const after_at = last ? Math.max(last.last_at, afterAt) : 0;
    const row: EnergyDerRow = {
      site_id,
      slot,
      der_no: no,
      der_type,
      device_type,
      after_at,
      since: firstAt,
      last_at: 0,
    };
    await insertEnergyDer(db, row);
    return row;
  });
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
