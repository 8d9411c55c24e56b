import { quarterMs } from '#contract/cloud/energy.ts';
import type { DerTypeId } from '#contract/der.ts';
import type { FieldName } from '#contract/telemetry.ts';
import { dayMs, hourMs, minuteMs } from '#contract/time.ts';
import { maxSegmentMs, Register, type RegisterState } from './counter.ts';

/** The energy of a DER in a quarter of an hour. Energies are Wh. */
export type QuarterRecord = {
  /** quarters since the epoch */
  quarter: number;
  in: number;
  out: number;
  estimated: number;
  coveredMs: number;
  readings: number;
  /** after its last reading; undefined without readings */
  chain: ChainState | undefined;
};

/** Everything that the fold needs to continue after a reading. */
export type ChainState = {
  at: number;
  /** the last power, and when it was read; NaN if it never was */
  power: number;
  powerAt: number;
  largestW: number;
  in: RegisterState;
  out: RegisterState;
};

type RegisterNames = { in: readonly FieldName[]; out: readonly FieldName[] };

/** The registers of each type of DER, the preferred one first. */
const registers: Record<DerTypeId, RegisterNames> = {
  meter: { in: ['total_import_Wh'], out: ['total_export_Wh'] },
  load: { in: ['total_import_Wh'], out: ['total_export_Wh'] },
  solar: { in: [], out: ['total_generation_Wh'] },
  battery: { in: ['total_charge_Wh'], out: ['total_discharge_Wh'] },
  ev_charger_port: {
    in: ['total_charge_Wh', 'session_charge_Wh'],
    out: ['total_discharge_Wh', 'session_discharge_Wh'],
  },
};

export const registersOf = (type: DerTypeId): RegisterNames => registers[type];

/** Returns the fields that the ledger needs of a type of DER. */
export const energyFields = (type: DerTypeId): FieldName[] => ['W', ...registers[type].in, ...registers[type].out];

const maxGapMs = 400 * dayMs;
const maxWaitMs = 15 * minuteMs; // for registers after a gap

const quarterOf = (at: number): number => Math.floor(at / quarterMs);

/**
 * Turns the readings of a DER, in the order of their time, into energy by the quarter of an hour. Live readings and stored
 * ones are folded alike. A fold that continues from a chain state begins with the quarter after it.
 */
export class Fold {
  at: number;
  #closed: QuarterRecord[] = [];
  readonly #after: number;
  #power: number;
  #powerAt: number;
  #largestW: number;
  #in: Register;
  #out: Register;
  #resumedAt = 0; // the first reading after a gap whose energy is not known yet
  // The open quarter.
  #quarter: number;
  #sumIn = 0;
  #sumOut = 0;
  #estimated = 0;
  #coveredMs = 0;
  #readings = 0;
  // The last trapezoid.
  #powerIn = 0;
  #powerOut = 0;

  constructor(chain?: ChainState) {
    this.at = chain?.at ?? Number.NEGATIVE_INFINITY;
    this.#power = chain?.power ?? Number.NaN;
    this.#powerAt = chain?.powerAt ?? 0;
    this.#largestW = chain?.largestW ?? 0;
    this.#in = new Register(chain?.in);
    this.#out = new Register(chain?.out);
    this.#quarter = quarterOf(this.at);
    this.#after = this.#quarter;
  }

  /** Adds the next reading; NaN stands for a missing value. Ignores one without values, and one that is not later than the last. */
  add(at: number, power: number, inWh: number, outWh: number): void {
    if (!(at > this.at)) return;
    const hasValue = !Number.isNaN(power);
    if (!hasValue && Number.isNaN(inWh) && Number.isNaN(outWh)) return;
    if (at - this.at > maxSegmentMs && this.#waitsForRegisters(at, inWh, outWh)) return;
    this.#resumedAt = 0;
    const quarter = at < (this.#quarter + 1) * quarterMs ? this.#quarter : quarterOf(at);
    const chain = quarter !== this.#quarter && this.#readings > 0 ? this.chain() : undefined;
    const hasPower = hasValue && !Number.isNaN(this.#power) && at - this.#powerAt <= maxSegmentMs;
    if (hasValue && Math.abs(power) > this.#largestW) this.#largestW = Math.abs(power);
    this.#powerIn = Number.NaN;
    this.#powerOut = Number.NaN;
    if (hasPower) this.#trapezoid(this.#power, power, at - this.#powerAt);
    const powerIn = this.#powerIn;
    const powerOut = this.#powerOut;
    this.#in.read(inWh, at, powerIn, this.#largestW, this.#out);
    this.#out.read(outWh, at, powerOut, this.#largestW, this.#in);

    if (quarter !== this.#quarter) this.#cross(quarter, at, power, chain);
    else {
      this.#sumIn += this.#in.energy;
      this.#sumOut += this.#out.energy;
      if (at - this.at <= maxSegmentMs) this.#coveredMs += at - this.at;
    }
    if (this.#in.gapEnergy + this.#out.gapEnergy > 0) this.#spread(at);
    this.at = at;
    this.#readings++;
    if (hasValue) {
      this.#power = power;
      this.#powerAt = at;
    }
  }

  /** Returns whether a reading after a gap is left out, because only a later one has the registers that moved in the gap. */
  #waitsForRegisters(at: number, inWh: number, outWh: number): boolean {
    const isMissing = (register: Register, value: number): boolean =>
      Number.isNaN(value) && !Number.isNaN(register.value);
    if (!isMissing(this.#in, inWh) && !isMissing(this.#out, outWh)) return false;
    if (this.#resumedAt === 0) this.#resumedAt = at;
    return at - this.#resumedAt < maxWaitMs;
  }

  /** Returns closed quarters since the last call. */
  take(): QuarterRecord[] {
    const taken = this.#closed;
    this.#closed = [];
    return taken;
  }

  get hasClosed(): boolean {
    return this.#closed.length > 0;
  }

  /** Returns the open quarter; undefined before the first reading in it. */
  open(): QuarterRecord | undefined {
    return this.#readings > 0 ? this.#record(this.chain()) : undefined;
  }

  chain(): ChainState {
    return {
      at: this.at,
      power: this.#power,
      powerAt: this.#powerAt,
      largestW: this.#largestW,
      in: stateOf(this.#in),
      out: stateOf(this.#out),
    };
  }

  /** Closes the open quarter. Splits the energy of the segment that ends with this reading where the quarter ends. */
  #cross(quarter: number, at: number, power: number, chain: ChainState | undefined): void {
    const before = this.at;
    const edge = quarter * quarterMs; // more than one quarter begins after a gap only
    const isGap = at - before > maxSegmentMs;
    let [shareIn, shareOut] = [0, 0];
    if (!isGap) {
      shareIn = (edge - before) / (at - before);
      shareOut = shareIn;
      this.#coveredMs += edge - before;
      const [powerIn, powerOut] = [this.#powerIn, this.#powerOut];
      if (powerIn + powerOut > 0 && this.#powerAt < edge) {
        const elapsed = edge - this.#powerAt;
        const atEdge = this.#power + ((power - this.#power) * elapsed) / (at - this.#powerAt);
        this.#trapezoid(this.#power, atEdge, elapsed);
        if (powerIn > 0) shareIn = this.#powerIn / powerIn;
        if (powerOut > 0) shareOut = this.#powerOut / powerOut;
      }
    }
    this.#sumIn += this.#in.energy * shareIn;
    this.#sumOut += this.#out.energy * shareOut;
    if (this.#quarter > this.#after) this.#closed.push(this.#record(chain));
    this.#quarter = quarter;
    this.#sumIn = this.#in.energy * (1 - shareIn);
    this.#sumOut = this.#out.energy * (1 - shareOut);
    this.#estimated = 0;
    this.#coveredMs = isGap ? 0 : at - edge;
    this.#readings = 0;
  }

  #record(chain: ChainState | undefined): QuarterRecord {
    return {
      quarter: this.#quarter,
      in: this.#sumIn,
      out: this.#sumOut,
      estimated: this.#estimated,
      coveredMs: this.#coveredMs,
      readings: this.#readings,
      chain,
    };
  }

  /** Integrates power over a segment, separately for energy in and out: it is split where the power crosses zero. */
  #trapezoid(from: number, to: number, ms: number): void {
    const hours = ms / hourMs;
    if (from >= 0 && to >= 0) {
      this.#powerIn = ((from + to) / 2) * hours;
      this.#powerOut = 0;
    } else if (from <= 0 && to <= 0) {
      this.#powerIn = 0;
      this.#powerOut = (-(from + to) / 2) * hours;
    } else {
      const crossing = from / (from - to);
      this.#powerIn = (from > 0 ? (from / 2) * crossing : (to / 2) * (1 - crossing)) * hours;
      this.#powerOut = (from > 0 ? (-to / 2) * (1 - crossing) : (-from / 2) * crossing) * hours;
    }
  }

  /** Spreads the energy of a gap evenly over the time since the last reading. */
  #spread(at: number): void {
    const from = this.at;
    const ms = at - from;
    if (ms > maxGapMs) return;
    const { gapEnergy: gapIn } = this.#in;
    const { gapEnergy: gapOut } = this.#out;
    const first = Math.max(quarterOf(from), this.#after + 1);
    for (let quarter = first; quarter < this.#quarter; quarter++) {
      const share = ((quarter + 1) * quarterMs - Math.max(from, quarter * quarterMs)) / ms;
      let record = this.#closed.at(-1);
      if (record?.quarter !== quarter) {
        record = { quarter, in: 0, out: 0, estimated: 0, coveredMs: 0, readings: 0, chain: undefined };
        this.#closed.push(record);
      }
      record.in += gapIn * share;
      record.out += gapOut * share;
      record.estimated += (gapIn + gapOut) * share;
    }
    const rest = (at - Math.max(from, this.#quarter * quarterMs)) / ms;
    this.#sumIn += gapIn * rest;
    this.#sumOut += gapOut * rest;
    this.#estimated += (gapIn + gapOut) * rest;
  }
}

const stateOf = ({ value, seenAt, changedAt, ahead, resolution, step, isAligned }: Register): RegisterState => ({
  value,
  seenAt,
  changedAt,
  ahead,
  resolution,
  step,
  isAligned,
});
