import { createSchedule } from '#lib/every.ts';
import type { CommonDeps } from '../store/store.ts';
import { addFieldNames, listDersWithFields, listFieldNames } from '../store/telemetry-registry.ts';
import { isPlainName, notFields, type Shape } from './reading.ts';

const maxUnsavedNames = 64; // of a DER; devices have fewer, so they need no database
const maxTrackedNames = 1_000_000; // of all DERs
const saveMs = 1000;
const refreshMs = 60_000;
const noNames: ReadonlySet<string> = new Set();

type Tracked = { names: Set<string>; unsaved: string[]; isSaved: boolean; loading?: Promise<void> | undefined };

export type FieldLimit = ReturnType<typeof createFieldLimit>;

export type FieldLimitOptions = Pick<CommonDeps, 'store' | 'log'> & { maxFieldsPerDer: number; isShared: boolean };

/** Limits the distinct field names of each DER, which cost columns. Only names of DERs with many of them are stored. */
export function createFieldLimit({ store, maxFieldsPerDer, isShared, log }: FieldLimitOptions) {
  const tracked = new Map<number, Tracked>();
  const unsaved = new Set<number>();
  let savedDers = new Set<number>();
  let trackedNames = 0;

  function add(der: number, { names, unsaved: waiting, isSaved }: Tracked, name: string): void {
    if (names.has(name)) return;
    names.add(name);
    trackedNames++;
    if (!isSaved) return;
    waiting.push(name);
    unsaved.add(der);
  }

  /** Forgets the DERs that were tracked first, except this one and those with unsaved names. */
  function makeRoom(except: number): void {
    for (const [der, { names, loading }] of tracked) {
      if (trackedNames <= maxTrackedNames) return;
      if (der === except || loading || unsaved.has(der)) continue;
      tracked.delete(der);
      trackedNames -= names.size;
    }
  }

  /** Counts names, and returns those beyond the limit. */
  function count(der: number, ofDer: Tracked, fields: readonly string[]): ReadonlySet<string> {
    let excess: Set<string> | undefined;
    for (const name of fields) {
      if (ofDer.names.has(name)) continue;
      if (ofDer.names.size < maxFieldsPerDer) add(der, ofDer, name);
      else excess = (excess ?? new Set()).add(name);
    }
    makeRoom(der);
    return excess ?? noNames;
  }

  async function load(der: number, ofDer: Tracked): Promise<void> {
    const saved = new Set(await listFieldNames(store.db, der));
    const seen = ofDer.names;
    ofDer.isSaved = true;
    savedDers.add(der);
    trackedNames += saved.size - seen.size;
    ofDer.names = saved;
    for (const name of seen) add(der, ofDer, name); // accepted before the others were loaded
  }

  async function save(): Promise<void> {
    for (const der of unsaved) {
      const names = tracked.get(der)?.unsaved.splice(0) ?? [];
      unsaved.delete(der);
      try {
        await store.write(({ db }) => addFieldNames(db, der, names));
      } catch (error) {
        tracked.get(der)?.unsaved.push(...names);
        unsaved.add(der);
        throw error;
      }
    }
  }

  async function refresh(): Promise<void> {
    savedDers = new Set(await listDersWithFields(store.db));
  }

  const refreshing = [refreshMs, refresh, 'looking for DERs with many fields'] as const;
  const schedule = createSchedule(log, [saveMs, save, 'saving field names'], ...(isShared ? [refreshing] : []));

  return {
    /**
     * Returns the names of a reading that exceed the limit of its DER. Waits only while the stored names of a DER are
     * loaded. `shape` is the shape of the previous reading, whose names were counted.
     */
    excessOf(
      der: number,
      names: readonly string[],
      shape: Shape | undefined,
    ): ReadonlySet<string> | Promise<ReadonlySet<string>> {
      const fields = names.filter((name) => !notFields.has(name));
      let ofDer = tracked.get(der);
      if (!ofDer) {
        const isUsual = !shape && !savedDers.has(der) && fields.length <= maxUnsavedNames && names.every(isPlainName);
        if (isUsual) return noNames; // the shape that is learned from this reading has its names
        ofDer = { names: new Set(), unsaved: [], isSaved: false };
        tracked.set(der, ofDer);
        for (const { name } of shape ?? []) if (!notFields.has(name)) add(der, ofDer, name);
      }
      const mayBeMany = savedDers.has(der) || ofDer.names.size + fields.length > maxUnsavedNames;
      if (ofDer.isSaved || !mayBeMany) return count(der, ofDer, fields);
      const loaded = ofDer;
      loaded.loading ??= load(der, loaded).finally(() => {
        loaded.loading = undefined;
      });
      return loaded.loading.then(() => count(der, loaded, fields));
    },
    async start(): Promise<void> {
      await refresh();
      schedule.start();
    },
    async stop(): Promise<void> {
      schedule.stop();
      await save().catch((error: unknown) => log.warn({ err: error }, 'failed to persist field names'));
    },
  };
}
