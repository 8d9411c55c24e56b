import { every } from '#lib/every.ts';
import type { Logger } from '#lib/log.ts';
import type { Store } from '../store/store.ts';
import { addFieldNames, listDersWithFields, listFieldNames } from '../store/telemetry-registry.ts';
import { isPlainName, notFields, type Shape } from './reading.ts';

const maxUnsavedNames = 64; // of a DER; more than devices have, so that theirs need no database
const maxTrackedNames = 1_000_000; // of all DERs
const saveMs = 1000;
const refreshMs = 60_000;
const noNames: ReadonlySet<string> = new Set();

type Tracked = { names: Set<string>; unsaved: string[]; isSaved: boolean; loading?: Promise<void> | undefined };

export type FieldLimit = {
  /**
   * Returns the names of a reading that are too many for its DER; waits while the names of a DER that has many are loaded.
   * `shape` is that of the reading before, whose names were counted.
   */
  excessOf(
    der: number,
    names: readonly string[],
    shape: Shape | undefined,
  ): ReadonlySet<string> | Promise<ReadonlySet<string>>;
  start(): Promise<void>;
  stop(): Promise<void>;
};

export type FieldLimitOptions = { store: Store; maxFieldsPerDer: number; isShared: boolean; log: Logger };

/**
 * Counts the distinct field names of each DER: every name costs a column in each chunk, summary and answer. A DER that always
 * sends the same fields costs nothing here; the names of one that sends more than a few dozen are kept in the registry.
 */
export function createFieldLimit({ store, maxFieldsPerDer, isShared, log }: FieldLimitOptions): FieldLimit {
  const tracked = new Map<number, Tracked>();
  const unsaved = new Set<number>();
  let savedDers = new Set<number>();
  let trackedNames = 0;
  let timers: NodeJS.Timeout[] = [];

  function track(der: number): Tracked {
    const known = tracked.get(der);
    if (known) return known;
    const begun: Tracked = { names: new Set(), unsaved: [], isSaved: false };
    tracked.set(der, begun);
    return begun;
  }

  function add(der: number, { names, unsaved: waiting, isSaved }: Tracked, name: string): void {
    if (names.has(name)) return;
    names.add(name);
    trackedNames++;
    if (!isSaved) return;
    waiting.push(name);
    unsaved.add(der);
  }

  /** Forgets the DERs that have been tracked for longest, other than this one and those that are yet to be saved. */
  function makeRoom(except: number): void {
    if (trackedNames <= maxTrackedNames) return;
    for (const [der, { names, loading }] of tracked) {
      if (der === except || loading || unsaved.has(der)) continue;
      tracked.delete(der);
      trackedNames -= names.size;
      if (trackedNames <= maxTrackedNames) return;
    }
  }

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
    const saved = await listFieldNames(store.db, der);
    const seen = [...ofDer.names];
    ofDer.isSaved = true;
    savedDers.add(der);
    const known = new Set(saved);
    trackedNames += known.size - seen.length;
    ofDer.names = known;
    for (const name of seen) add(der, ofDer, name); // accepted before the others were known
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

  return {
    excessOf(der, names, shape) {
      const fields = names.filter((name) => !notFields.has(name));
      const known = tracked.get(der);
      if (!known && !shape && !savedDers.has(der) && fields.length <= maxUnsavedNames && names.every(isPlainName)) {
        return noNames; // the shape that is learned from this reading has its names
      }
      const ofDer = known ?? track(der);
      if (!known) for (const { name } of shape ?? []) if (!notFields.has(name)) add(der, ofDer, name);
      const mayBeMany = savedDers.has(der) || ofDer.names.size + fields.length > maxUnsavedNames;
      if (ofDer.isSaved || !mayBeMany) return count(der, ofDer, fields);
      ofDer.loading ??= load(der, ofDer).finally(() => {
        ofDer.loading = undefined;
      });
      return ofDer.loading.then(() => count(der, ofDer, fields));
    },
    async start() {
      await refresh();
      timers = [every(saveMs, save, 'saving field names', log)];
      if (isShared) timers.push(every(refreshMs, refresh, 'looking for DERs with many fields', log));
    },
    async stop() {
      for (const timer of timers) clearInterval(timer);
      await save().catch((error: unknown) => log.warn({ err: error }, 'field names were not saved'));
    },
  };
}
