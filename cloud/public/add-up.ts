import { isSubMeter } from '#contract/balance.ts';
import type { DerTypeId } from '#contract/der.ts';
import type { TelemetryRoute } from '../store/telemetry-registry.ts';

/**
 * A sum to which values are added and removed for years without accumulating rounding errors, by compensated summation
 * (T. J. Dekker, 1971).
 */
export class RunningSum {
  count = 0;
  #sum = 0;
  #rest = 0;

  add(value: number): void {
    this.count++;
    this.#join(value);
  }

  remove(value: number): void {
    this.count--;
    if (this.count > 0) this.#join(-value);
    else this.#sum = this.#rest = 0;
  }

  get value(): number {
    return this.#sum;
  }

  #join(value: number): void {
    const sum = this.#sum + value;
    const joined = sum - this.#sum;
    const rest = this.#rest + (this.#sum - (sum - joined) + (value - joined));
    this.#sum = sum + rest;
    this.#rest = rest - (this.#sum - sum);
  }
}

/** The values of a reading that are summed. */
export type ReadingPart = {
  at: number;
  type: DerTypeId;
  W: number | undefined;
  Hz: number | undefined;
  soc: number | undefined;
};

export type TypeSums = { importW: RunningSum; exportW: RunningSum; soc: RunningSum };

export type CellSums = {
  types: Map<DerTypeId, TypeSums>;
  hz: RunningSum;
  /** types whose sums may not be published */
  hidden: Set<DerTypeId>;
};

export const emptySums = (): CellSums => ({ types: new Map(), hz: new RunningSum(), hidden: new Set() });

const number = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

export const partOf = (
  { der_type: type, device_type }: Pick<TelemetryRoute, 'der_type' | 'device_type'>,
  at: number,
  { W, Hz, SoC_nom_fract }: Record<string, unknown>,
): ReadingPart => ({
  at,
  type,
  W: isSubMeter(type, device_type) ? undefined : number(W),
  Hz: number(Hz),
  soc: type === 'battery' ? number(SoC_nom_fract) : undefined,
});

export function join(sums: CellSums, { type, W, Hz, soc }: ReadingPart): void {
  const ofType = sumsOf(sums, type);
  if (W !== undefined && W > 0) ofType.importW.add(W);
  if (W !== undefined && W < 0) ofType.exportW.add(-W);
  if (soc !== undefined) ofType.soc.add(soc);
  if (Hz !== undefined) sums.hz.add(Hz);
}

export function leave(sums: CellSums, { type, W, Hz, soc }: ReadingPart): void {
  const ofType = sumsOf(sums, type);
  if (W !== undefined && W > 0) ofType.importW.remove(W);
  if (W !== undefined && W < 0) ofType.exportW.remove(-W);
  if (soc !== undefined) ofType.soc.remove(soc);
  if (Hz !== undefined) sums.hz.remove(Hz);
}

function sumsOf({ types }: CellSums, type: DerTypeId): TypeSums {
  let sums = types.get(type);
  if (!sums) {
    sums = { importW: new RunningSum(), exportW: new RunningSum(), soc: new RunningSum() };
    types.set(type, sums);
  }
  return sums;
}

export function addUp(parts: Iterable<ReadingPart>, since: number): CellSums {
  const sums = emptySums();
  for (const part of parts) if (part.at >= since) join(sums, part);
  return sums;
}
