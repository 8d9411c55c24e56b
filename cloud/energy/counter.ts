import { hourMs, minuteMs } from '#contract/time.ts';

/** Readings further apart than this have a gap between them. */
export const maxSegmentMs = 5 * minuteMs;

const maxResolutionWh = 1000;
const unknownSlackWh = 1000; // the first increment of a register may be a step of 1 kWh
const unknownAheadWh = 100;
const minJitterWh = 10;
const minLimitW = 25_000;
const blindLimitW = 100_000; // of a device that never reported power
const stepsAhead = 3;
const maxHiddenMs = 2 * hourMs; // registers are updated at least this often, unless nothing flows

// Registers wrap at powers of two and of ten, counted in units from 0.1 Wh to 1 kWh.
const wrapLimits = [2 ** 16, 2 ** 24, 2 ** 31, 2 ** 32, 1e5, 1e6, 1e7, 1e8, 1e9]
  .flatMap((limit) => [0.1, 1, 10, 100, 1000].map((unit) => limit * unit))
  .sort((a, b) => a - b);

/** Returns the power (W) that a device does not exceed, from the largest that it reported; 0 if it never did. */
export const limitOf = (largestW: number): number => (largestW === 0 ? blindLimitW : Math.max(minLimitW, 3 * largestW));

/** The state of a register between two readings. Energies are Wh, times ms; NaN means that it was never read. */
export type RegisterState = {
  value: number;
  seenAt: number;
  changedAt: number;
  /** energy that was already counted from the power, but has not reached the register yet */
  ahead: number;
  /** smallest increment of the register; 0 while it is unknown */
  resolution: number;
  /** the last increment: a register that is updated rarely has large ones */
  step: number;
  /** 1 since an increment was seen; before, part of the next increment may be older than the first reading */
  isAligned: number;
};

/**
 * Turns the values of an energy register into energy. Registers are coarse (10 Wh, 100 Wh, 1 kWh) or updated rarely, so the
 * energy follows the power where it is known, but stays within a few increments of the register. Recognises registers that
 * wrap, are reset or belong to another meter.
 */
export class Register implements RegisterState {
  value = Number.NaN;
  seenAt = 0;
  changedAt = 0;
  ahead = 0;
  resolution = 0;
  step = 0;
  isAligned = 0;
  // From the last reading: energy that was measured, and energy of a gap before it.
  energy = 0;
  gapEnergy = 0;

  constructor(state?: RegisterState) {
    if (!state) return;
    this.value = state.value;
    this.seenAt = state.seenAt;
    this.changedAt = state.changedAt;
    this.ahead = state.ahead;
    this.resolution = state.resolution;
    this.step = state.step;
    this.isAligned = state.isAligned;
  }

  /** Takes the next value (NaN if the reading has none) and the energy of the power since the reading before (NaN if unknown). */
  read(value: number, at: number, power: number, largestW: number, sibling: Register): void {
    const hasPower = !Number.isNaN(power);
    const counted = hasPower ? power : 0;
    this.energy = counted;
    this.gapEnergy = 0;
    if (Number.isNaN(value)) {
      if (!Number.isNaN(this.value)) this.ahead += counted;
      return;
    }
    const growth = this.#growth(value, at, largestW, power);
    if (Number.isNaN(growth)) {
      this.#restart(value, at);
      return;
    }
    const isGap = at - this.seenAt > maxSegmentMs;
    this.seenAt = at;
    if (growth > 0) this.#grow(growth, at);
    if (isGap) this.#settleGap(growth, counted);
    else if (hasPower) this.#follow(growth, counted, sibling);
    else this.#take(growth);
  }

  /** Returns the energy since the last value; NaN if it is unknown. */
  #growth(value: number, at: number, largestW: number, power: number): number {
    const delta = value - this.value;
    if (delta === 0 || Number.isNaN(delta)) return delta;
    if (delta >= 0 && delta <= this.#plausible(at, largestW)) {
      this.value = value;
      return delta;
    }
    const classified = this.#classify(value, at, largestW, power);
    if (classified > 0) this.value = value;
    return classified;
  }

  #restart(value: number, at: number): void {
    this.value = value;
    this.seenAt = at;
    this.changedAt = at;
    this.ahead = 0;
    this.step = 0;
    this.isAligned = 0;
  }

  #grow(delta: number, at: number): void {
    this.changedAt = at;
    this.step = delta;
    const milli = Math.round(delta * 1000);
    const known = Math.round(this.resolution * 1000);
    if (known === 1 || (known > 0 && milli % known === 0)) return;
    this.resolution = Math.min(maxResolutionWh, divisorOf(known, milli) / 1000);
  }

  /** Returns the largest growth since the last increment that is not the sign of another meter. */
  #plausible(at: number, largestW: number): number {
    const hiddenMs = Math.min(at - this.changedAt, at - this.seenAt + maxHiddenMs);
    return (hiddenMs / hourMs) * limitOf(largestW) + this.#slack;
  }

  get #slack(): number {
    return this.resolution === 0 ? unknownSlackWh : Math.max(minJitterWh, 3 * this.resolution);
  }

  /** Returns the energy since the last value when it fell, or rose too much; NaN if it is unknown. */
  #classify(value: number, at: number, largestW: number, power: number): number {
    const hasPower = !Number.isNaN(power);
    const back = this.value - value;
    if (back < 0) return Number.NaN; // another meter, or a wrong value
    if (back <= Math.max(minJitterWh, 2 * this.resolution)) return 0; // waits until it exceeds the old value
    const plausible = this.#plausible(at, largestW);
    const mostWrapped = hasPower ? Math.min(plausible, 3 * (this.ahead + power) + this.#slack) : plausible;
    for (const limit of wrapLimits) {
      if (limit < this.value) continue;
      if (limit - back > mostWrapped) break;
      return limit - back;
    }
    const sinceReset = ((at - this.seenAt) / hourMs) * limitOf(largestW) + this.#slack;
    const isReset = value <= sinceReset / 3; // a used meter that was installed during a long gap has more
    if (!isReset || hasPower) {
      if (!isReset) this.resolution = 0; // another meter may have another one
      return Number.NaN;
    }
    this.ahead = 0;
    this.value = value;
    return value;
  }

  /** Lets the energy follow the power, within what the register allows. */
  #follow(delta: number, power: number, sibling: Register): void {
    const owed = this.ahead + power - delta;
    if (this.isAligned === 0 && delta > 0) {
      this.isAligned = 1;
      if (owed <= 0) {
        this.ahead = 0;
        return; // the rest of the increment is older than the first reading
      }
    }
    const least = this.resolution || sibling.resolution || unknownAheadWh;
    const ahead = Math.min(Math.max(owed, 0), Math.max(least, stepsAhead * this.step));
    this.energy = Math.max(0, delta + ahead - this.ahead);
    this.ahead += this.energy - delta;
  }

  #take(delta: number): void {
    if (delta > 0) this.isAligned = 1;
    this.energy = Math.max(0, delta - this.ahead);
    this.ahead = Math.max(0, this.ahead - delta);
  }

  #settleGap(delta: number, power: number): void {
    if (delta > 0) this.isAligned = 1;
    const owed = this.ahead + power - delta;
    this.gapEnergy = Math.max(0, -owed);
    this.ahead = Math.max(0, owed);
  }
}

function divisorOf(a: number, b: number): number {
  return b === 0 ? a : divisorOf(b, a % b);
}
