import type { TelemetryRoute } from '../store/telemetry-registry.ts';
import { type CellSums, emptySums, join, leave, partOf, type ReadingPart } from './add-up.ts';

export type { CellSums } from './add-up.ts';

/** Sums the newest reading of every DER by map cell as readings arrive, so that answers are ready. */
export type CellPower = {
  note(route: TelemetryRoute, at: number, values: Record<string, unknown>): void;
  /** Returns the sums of readings since a time. */
  sums(cell: string, since: number): CellSums;
  /** Removes all other DERs of this gateway. */
  keepOnly(ders: ReadonlySet<number>, serial: string): void;
};

type Location = { index: string; cell: RecentCell; serial: string };

export function createCellPower(): CellPower {
  const cells = new Map<string, RecentCell>();
  const places = new Map<number, Location>();
  const dersOf = new Map<string, Set<number>>(); // by the serial of their gateway

  function place(der: number, index: string, serial: string): RecentCell {
    const cell = cells.get(index) ?? new RecentCell();
    cells.set(index, cell);
    places.set(der, { index, cell, serial });
    const ders = dersOf.get(serial) ?? new Set();
    dersOf.set(serial, ders.add(der));
    return cell;
  }

  function drop(der: number, { index, cell, serial }: Location): void {
    places.delete(der);
    cell.drop(der);
    if (cell.isEmpty) cells.delete(index);
    const ders = dersOf.get(serial);
    ders?.delete(der);
    if (ders?.size === 0) dersOf.delete(serial);
  }

  return {
    note(route, at, values) {
      const { no, cell: index, gateway_serial } = route;
      const known = places.get(no);
      const isHere = known?.index === index;
      if (known && !isHere) drop(no, known);
      if (index === null) return;
      const cell = known && isHere ? known.cell : place(no, index, gateway_serial);
      cell.add(no, partOf(route, at, values));
    },

    sums: (cell, since) => cells.get(cell)?.sums(since) ?? emptySums(),

    keepOnly(ders, serial) {
      for (const der of dersOf.get(serial) ?? []) if (!ders.has(der)) drop(der, places.get(der)!);
    },
  };
}

/** A reading in a cell, and the second under which it waits to expire; undefined if it is too old to count. */
type Member = { part: ReadingPart; second: number | undefined };

const secondMs = 1000;
const jitterMs = 1000; // a delayed request gets the sums of a later one that overtook it

/**
 * The newest readings of one cell and the sums of the recent ones. A reading changes the sums by its difference to the
 * previous one. To expire old readings, a request checks the seconds that have passed since the last request. A DER waits
 * under the second of its first reading, and moves to a later one if it has a newer reading when that second has passed.
 */
class RecentCell {
  readonly #members = new Map<number, Member>();
  #sums = emptySums();
  #waiting = new Map<number, Member[]>();
  #dropped = 0; // entries in #waiting that no longer count
  #since = Number.NEGATIVE_INFINITY;

  get isEmpty(): boolean {
    return this.#members.size === 0;
  }

  /** Adds the reading of a DER; an older one than the known reading changes nothing. */
  add(der: number, part: ReadingPart): void {
    const known = this.#members.get(der);
    if (known && known.part.at > part.at) return;
    const member = known ?? { part, second: undefined };
    if (!known) this.#members.set(der, member);
    if (member.second !== undefined) leave(this.#sums, member.part);
    member.part = part;
    this.#count(member);
  }

  drop(der: number): void {
    const member = this.#members.get(der);
    this.#members.delete(der);
    if (member?.second === undefined) return;
    member.second = undefined;
    leave(this.#sums, member.part);
    this.#dropped++;
    if (this.#dropped > this.#members.size) this.#recompute(this.#since);
  }

  /** Returns the sums of readings since a time. */
  sums(since: number): CellSums {
    if (since < this.#since - jitterMs) this.#recompute(since);
    else if (since > this.#since) this.#advance(since);
    return this.#sums;
  }

  #count(member: Member): void {
    if (member.part.at < this.#since) return;
    join(this.#sums, member.part);
    if (member.second === undefined) this.#wait(member);
  }

  #wait(member: Member): void {
    const second = Math.floor(member.part.at / secondMs);
    member.second = second;
    const others = this.#waiting.get(second);
    if (others) others.push(member);
    else this.#waiting.set(second, [member]);
  }

  #advance(since: number): void {
    this.#since = since;
    const last = Math.floor(since / secondMs);
    for (const second of [...this.#waiting.keys()].filter((each) => each <= last)) {
      const members = this.#waiting.get(second)!;
      this.#waiting.delete(second);
      for (const member of members) this.#recheck(member);
    }
  }

  #recheck(member: Member): void {
    if (member.second === undefined) return; // dropped
    if (member.part.at >= this.#since) {
      this.#wait(member);
    } else {
      member.second = undefined;
      leave(this.#sums, member.part);
    }
  }

  /** Recomputes the sums: after the clock was set back, old readings may be recent again. */
  #recompute(since: number): void {
    this.#since = since;
    this.#sums = emptySums();
    this.#waiting = new Map();
    this.#dropped = 0;
    for (const member of this.#members.values()) {
      member.second = undefined;
      this.#count(member);
    }
  }
}
