import { isFieldName } from '#contract/telemetry.ts';

type Values = Record<string, unknown>;

/** What was measured: devices of others say null, or a word, where they know no number. */
export function measuredOf(values: Values): Values {
  for (const name in values) {
    if (!isMeasured(name, values[name])) {
      return Object.fromEntries(Object.entries(values).filter(([each, value]) => isMeasured(each, value)));
    }
  }
  return values;
}

const isMeasured = (name: string, value: unknown): boolean =>
  typeof value === 'number' || (value !== null && !isFieldName(name));
