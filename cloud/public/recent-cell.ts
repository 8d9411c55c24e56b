import { type CellSums, emptySums, join, leave, type ReadingPart } from './add-up.ts';

/** A reading in a cell, and under which second it waits to become old; under none when it is too old to count. */
type Member = { part: ReadingPart; second: number | undefined };

const secondMs = 1000;
const jitterMs = 1000; // a question that waited a little is answered as of the one that overtook it

/**
 * The newest readings of one cell and the sums of those that are recent. A reading changes the sums by its difference to the
 * one before it; to find what has become old, a question looks at the seconds that have passed since the last. A DER waits
 * under the second of the reading it began with, and moves on when that second has passed and it was heard since.
 */
export class RecentCell {
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
