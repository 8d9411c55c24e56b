import { RecentMap } from '#lib/recent-map.ts';
import type { Db } from './engine.ts';
import { SqliteDb } from './prepared.ts';

/** Statements that read the same columns, and the number of the last commit that wrote one of these. */
type Source = { reads: ReadonlySet<string>; changedAt: number };

/** The statements that ran while a value was loaded, and the number of rows they returned. */
type Recording = { sources: Set<Source>; rows: number };

type Entry = { value: unknown; loadedAt: number; sources: readonly Source[]; rows: number };

const maxRows = 20_000; // read for all entries; with the texts of answers about 20 MB

/**
 * Caches values made of rows until a commit writes a column that was read for them. It records the statements that run
 * while a value is loaded, so callers do not have to name their dependencies.
 */
export class QueryCache {
  readonly #entries = new RecentMap<Entry>(maxRows, ({ rows }) => rows);
  readonly #sources = new Map<string, Source>();
  readonly #sourceOfStatement = new WeakMap<ReadonlySet<string>, Source>();
  readonly #recordings = new Set<Recording>();
  readonly #externalVersion: () => number | undefined;
  #knownVersion: number | undefined;
  #isVersionChecked = false;
  #changes = 0;

  /** `externalVersion` changes when another process has committed. */
  constructor(externalVersion: () => number | undefined) {
    this.#externalVersion = externalVersion;
    this.#knownVersion = externalVersion();
  }

  /** Returns a cached value synchronously, else loads it. The value may depend on nothing but the key and the rows read. */
  getOrLoad<T>(key: string, load: () => Promise<T>): T | Promise<T> {
    this.#checkExternalVersion();
    const entry = this.#entries.get(key);
    if (!entry || !isCurrent(entry)) return this.#load(key, load);
    for (const recording of this.#recordings) for (const source of entry.sources) recording.sources.add(source);
    return entry.value as T;
  }

  onRead(reads: ReadonlySet<string>, rows: number): void {
    if (this.#recordings.size === 0) return;
    const source = this.#sourceOf(reads);
    for (const recording of this.#recordings) {
      recording.sources.add(source);
      recording.rows += rows;
    }
  }

  /** Invalidates everything that was read from these columns. */
  onWritten(writes: ReadonlySet<string>): void {
    if (writes.size === 0) return;
    this.#changes += 1;
    for (const source of this.#sources.values()) {
      if (hasCommon(writes, source.reads)) source.changedAt = this.#changes;
    }
  }

  async #load<T>(key: string, load: () => Promise<T>): Promise<T> {
    const loadedAt = this.#changes;
    const recording: Recording = { sources: new Set(), rows: 1 };
    this.#recordings.add(recording);
    try {
      const value = await load();
      const entry = { value, loadedAt, sources: [...recording.sources], rows: recording.rows };
      // A missing object is not cached: callers can invent any number of ids.
      if (value !== undefined && isCurrent(entry)) this.#entries.set(key, entry);
      return value;
    } finally {
      this.#recordings.delete(recording);
    }
  }

  /** Checks once in each turn of the event loop. */
  #checkExternalVersion(): void {
    if (this.#isVersionChecked) return;
    this.#isVersionChecked = true;
    setImmediate(() => {
      this.#isVersionChecked = false;
    });
    const version = this.#externalVersion();
    if (version === this.#knownVersion) return;
    this.#knownVersion = version;
    this.#changes += 1;
    for (const source of this.#sources.values()) source.changedAt = this.#changes;
  }

  #sourceOf(reads: ReadonlySet<string>): Source {
    const known = this.#sourceOfStatement.get(reads);
    if (known) return known;
    const name = [...reads].join();
    const source = this.#sources.get(name) ?? { reads, changedAt: this.#changes };
    this.#sources.set(name, source);
    this.#sourceOfStatement.set(reads, source);
    return source;
  }
}

function hasCommon(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  for (const each of some) if (others.has(each)) return true;
  return false;
}

const isCurrent = ({ loadedAt, sources }: Pick<Entry, 'loadedAt' | 'sources'>): boolean =>
  sources.every(({ changedAt }) => changedAt <= loadedAt);

/**
 * Caches what `load` makes of rows alone, under a key that names everything else it depends on. Loads every time in a
 * transaction, and on PostgreSQL, which other processes write to as well.
 */
export const cached = <T>(db: Db, key: string, load: () => Promise<T>): T | Promise<T> =>
  db instanceof SqliteDb && db.cache ? db.cache.getOrLoad(key, load) : load();
