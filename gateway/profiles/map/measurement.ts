import type { DerKind, DerValues, Values } from '#contract/gateway/reading.ts';
import { boundsOf, type FieldName } from '#contract/telemetry.ts';
import type { ReadRegisters } from '../../links/modbus/unit.ts';
import { alignCurrents } from '../current-signs.ts';
import { type Evaluator, evaluatorOf, type PointDefaults } from './evaluate.ts';
import type { Ders, Fields } from './point.ts';
import { type Cell, createReadPlan, type PlanLimits } from './read-plan.ts';

export type MeasurementRules = PointDefaults & PlanLimits;

type Field = Evaluator & { name: FieldName; min: number; max: number };

/** Everything that a device measures, made ready to be read again and again. */
export type Measurement = {
  /** false when the device refused everything */
  read(read: ReadRegisters): Promise<boolean>;
  values(): DerValues;
  /** one value as the device gives it, plausible or not; NaN when there is none */
  value(kind: DerKind, name: FieldName): number;
  cells(kind: DerKind, name?: FieldName): readonly Cell[];
  drop(kind: DerKind): void;
};

export function createMeasurement(ders: Ders, rules: MeasurementRules): Measurement {
  const fieldsOf = new Map<DerKind, readonly Field[]>(
    Object.entries(ders).map(([kind, fields]) => [kind as DerKind, prepare(fields, rules)]),
  );
  const cellsOf = (fields: readonly Field[]): Cell[] => fields.flatMap(({ cells }) => cells);
  const plan = createReadPlan([...fieldsOf.values()].flatMap(cellsOf), rules);

  return {
    read: (read) => plan.read(read),
    values() {
      const all: DerValues = {};
      for (const [kind, fields] of fieldsOf) {
        const values = valuesOf(fields);
        if (values) all[kind] = alignCurrents(values);
      }
      return all;
    },
    value: (kind, name) =>
      fieldsOf
        .get(kind)
        ?.find((field) => field.name === name)
        ?.value() ?? Number.NaN,
    cells: (kind, name) =>
      cellsOf((fieldsOf.get(kind) ?? []).filter((field) => name === undefined || field.name === name)),
    drop(kind) {
      plan.drop(new Set(cellsOf(fieldsOf.get(kind) ?? [])));
      fieldsOf.delete(kind);
    },
  };
}

function prepare(fields: Fields, rules: MeasurementRules): Field[] {
  return Object.entries(fields).map(([key, reading]) => {
    const name = key as FieldName;
    return { name, ...boundsOf(name), ...evaluatorOf(reading, rules, name === 'W') };
  });
}

function valuesOf(fields: readonly Field[]): Values | undefined {
  let values: Values | undefined;
  for (const { name, min, max, value } of fields) {
    const measured = value();
    if (!(measured >= min && measured <= max)) continue; // NaN is neither
    values ??= {};
    values[name] = measured + 0; // never -0
  }
  return values;
}
