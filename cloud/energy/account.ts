import type { DerTypeId, DeviceTypeId } from '#contract/der.ts';
import type { EnergyDerRow } from '../store/schema.ts';
import type { Entry } from './book.ts';
import type { Fold, QuarterRecord } from './fold.ts';

/** The values of a reading that the ledger needs; NaN where they are absent. */
export type EnergyReading = { at: number; power: number; inWh: number; outWh: number };

/** Where a DER is, as far as the ledger is concerned. */
export type Place = { no: number; site_id: string; der_type: DerTypeId; device_type: DeviceTypeId };

/** A quarter that has to be folded again. `version` is that of its mark in the database, 0 without one. */
type Due = { version: number; isFresh: boolean };

const maxWaiting = 20_000;

/** The state of a DER in a process: the fold of its readings, and the quarters that are not written yet. */
export class Account {
  readonly place: Place;
  /** undefined until it was read or created */
  der: EnergyDerRow | undefined;
  /** undefined while stored readings have to be read first */
  fold: Fold | undefined;
  /** readings before this belong to another site */
  readonly afterAt: number;
  heardAt: number;
  isBusy = false;
  /** readings were received meanwhile that had no room */
  isMissed = false;
  /** when to ask again for a row, if the ledger has no room for it */
  refusedUntil = 0;
  /** the quarter of the last replay */
  replayedIn = 0;
  epoch: number | undefined;
  readonly due = new Map<number, Due>();
  dueSince = 0;
  #route: object | undefined; // of the last reading: routes are kept, and do not change place
  #waiting: EnergyReading[] = [];
  #newestAt = 0; // of those that waited
  #unwritten: QuarterRecord[] = [];
  #writtenAt = 0;

  constructor(place: Place, { heardAt, afterAt }: { heardAt: number; afterAt: number }) {
    this.place = place;
    this.heardAt = heardAt;
    this.afterAt = afterAt;
  }

  isAt(route: Omit<Place, 'no'>): boolean {
    if (route === this.#route) return true;
    const { place } = this;
    const { site_id, der_type, device_type } = route;
    const isHere = place.site_id === site_id && place.der_type === der_type && place.device_type === device_type;
    if (isHere) this.#route = route;
    return isHere;
  }

  /** Returns whether the DER has no row yet, and may ask for one. */
  isNew(now: number): boolean {
    return !this.der && this.refusedUntil <= now;
  }

  get isBehind(): boolean {
    return this.fold === undefined;
  }

  /** Keeps a reading that was received while stored ones are folded. */
  wait(reading: EnergyReading): void {
    this.#newestAt = Math.max(this.#newestAt, reading.at);
    if (this.#waiting.length < maxWaiting) this.#waiting.push(reading);
    else this.isMissed = true;
  }

  /** Returns whether stored readings are being folded, and a later reading than this was received before. */
  isOvertaken(at: number): boolean {
    return this.isBusy && at < this.#newestAt;
  }

  addDue(quarter: number, version: number, now: number): void {
    if (this.due.size === 0) this.dueSince = now;
    const known = this.due.get(quarter)?.version ?? 0;
    this.due.set(quarter, { version: Math.max(version, known), isFresh: true });
  }

  /** Returns the first quarter that is due, and notes that those which are due now will be folded. */
  beginDue(): number | undefined {
    for (const due of this.due.values()) due.isFresh = false;
    return this.due.size > 0 ? Math.min(...this.due.keys()) : undefined;
  }

  /** Removes and returns what was due before a quarter, without what became due again meanwhile. */
  finishDue(before: number): { quarter: number; version: number }[] {
    const finished: { quarter: number; version: number }[] = [];
    for (const [quarter, { version, isFresh }] of this.due) {
      if (isFresh || quarter >= before) continue;
      this.due.delete(quarter);
      finished.push({ quarter, version });
    }
    return finished;
  }

  /** Continues from a fold of stored readings, and returns late ones among those received meanwhile. */
  resume(fold: Fold, seen: ReadonlySet<number>): EnergyReading[] {
    const late: EnergyReading[] = [];
    for (const reading of this.takeWaiting()) {
      const { at, power, inWh, outWh } = reading;
      if (at > fold.at) fold.add(at, power, inWh, outWh);
      else if (!seen.has(at)) late.push(reading);
    }
    this.fold = fold;
    this.#unwritten = [];
    this.#writtenAt = 0;
    return late;
  }

  takeWaiting(): EnergyReading[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    return waiting;
  }

  /** Returns the quarters that are not written yet, with the open one if it began before `openBefore`. */
  unwritten(openBefore: number): QuarterRecord[] {
    if (this.fold?.hasClosed) this.#unwritten.push(...this.fold.take());
    const isDue = this.fold !== undefined && this.fold.at < openBefore && this.fold.at !== this.#writtenAt;
    const open = isDue ? this.fold?.open() : undefined;
    return open ? [...this.#unwritten, open] : this.#unwritten;
  }

  /** Notes that records were written, as `unwritten` returned them. */
  written(records: readonly QuarterRecord[]): void {
    const last = records.at(-1);
    const done = new Set(records);
    this.#unwritten = this.#unwritten.filter((record) => !done.has(record));
    if (last?.chain) this.#writtenAt = last.chain.at;
    if (this.der && last?.chain) this.der.last_at = Math.max(this.der.last_at, last.chain.at);
  }
}

/** Returns the entry of records that follow each other; undefined without records. */
export function entryOf(slot: number, records: readonly QuarterRecord[]): Entry | undefined {
  const [first, last] = [records[0], records.at(-1)];
  return first && last ? { slot, from: first.quarter, to: last.quarter + 1, records } : undefined;
}
