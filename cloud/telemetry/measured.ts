import { isFieldName } from '#contract/telemetry.ts';

/** Returns when it was measured, at most its receive time: a device clock that is ahead must not hide later readings. */
export const momentOf = ({ at, received }: { at: number; received: number }): number => Math.min(at, received / 1000);

type Values = Record<string, unknown>;

/** Leaves out measured fields without a number: devices of other vendors may send null or a text. */
export function measuredValues(values: Values): Values {
  for (const name in values) {
    if (!isMeasured(name, values[name])) {
      return Object.fromEntries(Object.entries(values).filter(([each, value]) => isMeasured(each, value)));
    }
  }
  return values;
}

const isMeasured = (name: string, value: unknown): boolean =>
  typeof value === 'number' || (value !== null && !isFieldName(name));
