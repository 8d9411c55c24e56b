import { isSubMeter } from '#contract/balance.ts';
import type { DerTypeId } from '#contract/der.ts';
import type { TelemetryRoute } from '../store/telemetry-registry.ts';

export class CountedSum {
  count = 0;
  value = 0;

  add(value: number): void {
    this.count++;
    this.value += value;
  }
}

export type ReadingPart = {
  at: number;
  type: DerTypeId;
  W: number | undefined;
  Hz: number | undefined;
  soc: number | undefined;
};

export type TypeSums = { importW: CountedSum; exportW: CountedSum; soc: CountedSum };

export type CellSums = {
  types: Map<DerTypeId, TypeSums>;
  hz: CountedSum;
  /** types whose sums may not be published */
  hidden: Set<DerTypeId>;
};

export const emptySums = (): CellSums => ({ types: new Map(), hz: new CountedSum(), hidden: new Set() });

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

function sumsOf({ types }: CellSums, type: DerTypeId): TypeSums {
  let sums = types.get(type);
  if (!sums) {
    sums = { importW: new CountedSum(), exportW: new CountedSum(), soc: new CountedSum() };
    types.set(type, sums);
  }
  return sums;
}

/** A DER of a site and its latest reading, if any. */
export type HeardDer = { der: string; site: string; type: DerTypeId; part: ReadingPart | undefined };

export function addUp(ders: readonly HeardDer[], since: number): CellSums {
  const sums = emptySums();
  for (const { part } of ders) if (part && part.at >= since) join(sums, part);
  return sums;
}
