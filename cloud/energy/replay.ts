import { quarterMs } from '#contract/cloud/energy.ts';
import type { DerTypeId } from '#contract/der.ts';
import type { EnergyDerRow } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import type { ReadingColumns, TelemetryStore } from '../store/telemetry/telemetry-store.ts';
import { dayAt, dayOf, type Entry, findStart, readChains } from './book.ts';
import type { RegisterState } from './counter.ts';
import { type ChainState, energyFields, Fold, type QuarterRecord, registersOf } from './fold.ts';
import { quartersOfDay } from './site-day.ts';

export type ReplayDeps = { store: Pick<Store, 'db'>; telemetry: Pick<TelemetryStore, 'readings' | 'oldestKept'> };

export type Replay = {
  entry: Entry;
  /** the fold at the end of the readings; undefined if it agreed with the stored chain states before that */
  fold: Fold | undefined;
  /** times of readings that were folded since `seenSince` */
  seen: ReadonlySet<number>;
};

type ReplayOptions = {
  /** the first quarter that is due; without it, everything after the ledger */
  due?: number | undefined;
  /** the first reading is not earlier than this */
  earliest: number;
  /** the last reading is earlier than this */
  to: number;
  seenSince: number;
};

const everything = Number.MAX_SAFE_INTEGER;

/** Folds stored readings of a DER: from before a quarter that is due until nothing changes, or from the end of the ledger to the end. */
export async function replay(der: EnergyDerRow, no: number, options: ReplayOptions, deps: ReplayDeps): Promise<Replay> {
  const { due = everything, earliest, to, seenSince } = options;
  const { store, telemetry } = deps;
  const found = await findStart(store.db, der, Math.min(due, quarterAfterDay(der.last_at)));
  const chain = found && 'chain' in found ? found.chain : undefined;
  const wanted = chain
    ? chain.at + 1
    : found && 'quarter' in found
      ? found.quarter * quarterMs
      : beginWithout(der, due, earliest);
  const begin = Math.max(der.after_at + 1, wanted, telemetry.oldestKept());
  const fold = new Fold(chain);
  const from = chain ? Math.floor(chain.at / quarterMs) + 1 : Math.floor(begin / quarterMs);
  const entryUntil = (to: number): Entry => {
    const first = chain ? from : (records[0]?.quarter ?? to); // what lies before the first reading is imported, or older
    return { slot: der.slot, from: first, to, records };
  };
  const records: QuarterRecord[] = [];
  const seen = new Set<number>();
  const stored = createStoredChains(deps, der);
  for (let start = begin; start < to; ) {
    const part = await telemetry.readings(no, start, to, energyFields(der.der_type));
    const rows = rowsOf(part, der.der_type);
    for (const [row, at] of part.at.entries()) {
      fold.add(at, rows.power(row), rows.in(row), rows.out(row));
      if (at >= seenSince) seen.add(at);
      if (!fold.hasClosed) continue;
      const closed = fold.take();
      records.push(...closed);
      const last = closed.find((record) => record.chain);
      if (!last?.chain || last.quarter < due || due === everything) continue;
      const before = await stored.at(last.quarter);
      if (!before || !isSame(before, last.chain)) continue;
      records.splice(records.indexOf(last) + 1); // the energy of a gap after it is stored already
      return { entry: entryUntil(last.quarter + 1), fold: undefined, seen };
    }
    start = part.end;
  }
  const open = fold.open();
  if (open && open.quarter >= from) records.push(open);
  return { entry: entryUntil((records.at(-1)?.quarter ?? from - 1) + 1), fold, seen };
}

/** Returns the values of the ledger by row. */
function rowsOf({ fields }: ReadingColumns, type: DerTypeId) {
  const names = registersOf(type);
  const pick = (candidates: readonly string[]) => {
    const columns = candidates.flatMap((name) => fields.get(name) ?? []);
    return (row: number): number => {
      for (const column of columns) if (!Number.isNaN(column[row])) return column[row] ?? Number.NaN;
      return Number.NaN;
    };
  };
  return { power: pick(['W']), in: pick(names.in), out: pick(names.out) };
}

const quarterAfterDay = (ms: number): number => (dayAt(ms) + 1) * quartersOfDay;

/** Without chain states, an import or nothing is stored: begins after it, or at the quarter that is due. */
function beginWithout(der: EnergyDerRow, due: number, earliest: number): number {
  if (due !== everything) return due * quarterMs;
  return der.last_at > 0 ? der.last_at + 1 : earliest;
}

function createStoredChains({ store }: ReplayDeps, der: EnergyDerRow) {
  let known: { day: number; chains: Map<number, ChainState> } | undefined;
  return {
    async at(quarter: number): Promise<ChainState | undefined> {
      const day = dayOf(quarter);
      if (known?.day !== day) known = { day, chains: await readChains(store.db, der, day) };
      return known.chains.get(quarter);
    },
  };
}

const maxDifferenceWh = 1e-6;

const isSame = (one: ChainState, other: ChainState): boolean =>
  one.at === other.at &&
  Object.is(one.power, other.power) &&
  one.powerAt === other.powerAt &&
  one.largestW === other.largestW &&
  isSameRegister(one.in, other.in) &&
  isSameRegister(one.out, other.out);

const isSameRegister = (one: RegisterState, other: RegisterState): boolean =>
  Object.is(one.value, other.value) &&
  one.seenAt === other.seenAt &&
  one.step === other.step &&
  one.changedAt === other.changedAt &&
  one.resolution === other.resolution &&
  one.isAligned === other.isAligned &&
  Math.abs(one.ahead - other.ahead) <= maxDifferenceWh;
