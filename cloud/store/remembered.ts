import type { DialectAdapter } from 'kysely';
import type { Db } from './engine.ts';

/** Statements that read the same, and the last change of what they read. */
type Source = { reads: ReadonlySet<string>; changedAt: number };

type Noted = { sources: Set<Source>; rows: number };

type Kept = { value: unknown; madeAt: number; sources: readonly Source[]; rows: number };

const mostRows = 20_000; // read for all that is kept, with the texts of answers about 20 MB

/**
 * What was made of rows, until something that was read for it is written. Knows by itself what that is: it hears of
 * every statement that is run meanwhile, and of every commit.
 */
export class Memory {
  readonly #kept = new Map<string, Kept>();
  readonly #sources = new Map<string, Source>();
  readonly #sourceOfStatement = new WeakMap<ReadonlySet<string>, Source>();
  readonly #noting = new Set<Noted>();
  readonly #versionOfOthers: () => number;
  #knownVersion: number;
  #hasLooked = false;
  #changes = 0;
  #rows = 0;

  /** `versionOfOthers` moves when another process has committed. */
  constructor(versionOfOthers: () => number) {
    this.#versionOfOthers = versionOfOthers;
    this.#knownVersion = versionOfOthers();
  }

  /** At once what is known, else what is made now. Nothing but the rows that are read may decide what is made. */
  remember<T>(key: string, make: () => Promise<T>): T | Promise<T> {
    this.#lookAtOthers();
    const kept = this.#kept.get(key);
    if (!kept || !isCurrent(kept)) return this.#make(key, make);
    for (const noted of this.#noting) for (const source of kept.sources) noted.sources.add(source);
    return kept.value as T;
  }

  /** A statement was run. */
  read(reads: ReadonlySet<string>, rows: number): void {
    if (this.#noting.size === 0) return;
    const source = this.#sourceOf(reads);
    for (const noted of this.#noting) {
      noted.sources.add(source);
      noted.rows += rows;
    }
  }

  /** A transaction ended that wrote these. */
  written(writes: ReadonlySet<string>): void {
    if (writes.size === 0) return;
    this.#changes += 1;
    for (const source of this.#sources.values()) {
      if (isAmong(writes, source.reads)) source.changedAt = this.#changes;
    }
  }

  async #make<T>(key: string, make: () => Promise<T>): Promise<T> {
    const madeAt = this.#changes;
    const noted: Noted = { sources: new Set(), rows: 1 };
    this.#noting.add(noted);
    try {
      const value = await make();
      const kept = { value, madeAt, sources: [...noted.sources], rows: noted.rows };
      // A missing object is not remembered: callers can invent any number of ids.
      if (value !== undefined && isCurrent(kept)) this.#keep(key, kept);
      return value;
    } finally {
      this.#noting.delete(noted);
    }
  }

  #keep(key: string, kept: Kept): void {
    this.#drop(key);
    this.#kept.set(key, kept);
    this.#rows += kept.rows;
    while (this.#rows > mostRows) this.#drop(this.#kept.keys().next().value!);
  }

  #drop(key: string): void {
    this.#rows -= this.#kept.get(key)?.rows ?? 0;
    this.#kept.delete(key);
  }

  /** Once for all that came in together. */
  #lookAtOthers(): void {
    if (this.#hasLooked) return;
    this.#hasLooked = true;
    setImmediate(() => {
      this.#hasLooked = false;
    });
    const version = this.#versionOfOthers();
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

function isCurrent({ madeAt, sources }: Pick<Kept, 'madeAt' | 'sources'>): boolean {
  for (const { changedAt } of sources) if (changedAt > madeAt) return false;
  return true;
}

function isAmong(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  for (const each of some) if (others.has(each)) return true;
  return false;
}

/** An adapter whose database tells all that is read and written. */
export type RememberingAdapter = DialectAdapter & { memory: Memory };

const hasMemory = (adapter: DialectAdapter): adapter is RememberingAdapter => 'memory' in adapter;

/**
 * What `make` makes of rows alone, remembered under a key that names all else it depends on. Not in a transaction, and
 * not on an engine that other processes write to as well.
 */
export function remembered<T>(db: Db, key: string, make: () => Promise<T>): T | Promise<T> {
  const { adapter } = db.getExecutor();
  return hasMemory(adapter) ? adapter.memory.remember(key, make) : make();
}
