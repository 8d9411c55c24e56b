import type { TelemetryRoute } from '../store/telemetry-registry.ts';
import { type CellSums, emptySums, join, leave, partOf, type ReadingPart } from './add-up.ts';

export type { CellSums } from './add-up.ts';

/** The newest reading of every DER by map cell, added up as they come, so that an answer adds nothing up. */
export type CellPower = {
  note(route: TelemetryRoute, at: number, values: Record<string, unknown>): void;
  /** Sums over what was measured since. */
  sums(cell: string, since: number): CellSums;
  /** Whatever else was heard of this gateway is gone. */
  keepOnly(ders: ReadonlySet<number>, serial: string): void;
};

type Place = { index: string; cell: RecentCell; serial: string };

export function createCellPower(): CellPower {
  const cells = new Map<string, RecentCell>();
  const places = new Map<number, Place>();
  const dersOf = new Map<string, Set<number>>(); // by the serial of their gateway

  function place(der: number, index: string, serial: string): RecentCell {
    const cell = cells.get(index) ?? new RecentCell();
    cells.set(index, cell);
    places.set(der, { index, cell, serial });
    const ders = dersOf.get(serial) ?? new Set();
    dersOf.set(serial, ders.add(der));
    return cell;
  }

  function drop(der: number, { index, cell, serial }: Place): void {
    places.delete(der);
    cell.drop(der);
    if (cell.isEmpty) cells.delete(index);
    const ders = dersOf.get(serial)!;
    ders.delete(der);
    if (ders.size === 0) dersOf.delete(serial);
  }

  return {
    note(route, at, values) {
      const { no, cell: index, gateway_serial } = route;
      const known = places.get(no);
      const isHere = known?.index === index;
      if (known && !isHere) drop(no, known);
      if (index === null) return;
      const cell = known && isHere ? known.cell : place(no, index, gateway_serial);
      cell.hear(no, partOf(route, at, values));
    },

    sums: (cell, since) => cells.get(cell)?.sums(since) ?? emptySums(),

    keepOnly(ders, serial) {
      for (const der of dersOf.get(serial) ?? []) if (!ders.has(der)) drop(der, places.get(der)!);
    },
  };
}

/** A reading in a cell, and under which second it waits to become old; under none when it is too old to count. */
type Member = { part: ReadingPart; second: number | undefined };

const secondMs = 1000;
const jitterMs = 1000; // a question that waited a little is answered as of the one that overtook it

/**
 * The newest readings of one cell and the sums of those that are recent. A reading changes the sums by its difference to the
 * one before it; to find what has become old, a question looks at the seconds that have passed since the last. A DER waits
 * under the second of the reading it began with, and moves on when that second has passed and it was heard since.
 */
class RecentCell {
  readonly #members = new Map<number, Member>();
  #sums = emptySums();
  #waiting = new Map<number, Member[]>();
  #dropped = 0; // of those that wait
  #since = Number.NEGATIVE_INFINITY;

  get isEmpty(): boolean {
    return this.#members.size === 0;
  }

  /** The reading of a DER; one that is older than what is known changes nothing. */
  hear(der: number, part: ReadingPart): void {
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
    if (this.#dropped > this.#members.size) this.#begin(this.#since);
  }

  /** Sums over what was measured since; they change as time goes on. */
  sums(since: number): CellSums {
    if (since < this.#since - jitterMs) this.#begin(since);
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
      for (const member of members) this.#lookAgain(member);
    }
  }

  #lookAgain(member: Member): void {
    if (member.second === undefined) return; // dropped
    if (member.part.at >= this.#since) {
      this.#wait(member);
    } else {
      member.second = undefined;
      leave(this.#sums, member.part);
    }
  }

  /** Anew: when the clock was set back, what was too old may be recent again. */
  #begin(since: number): void {
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
