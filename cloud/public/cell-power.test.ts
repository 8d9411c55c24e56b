import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { DerTypeId } from '#contract/der.ts';
import { recentMs } from '#contract/time.ts';
import type { TelemetryRoute } from '../store/telemetry-registry.ts';
import type { CellSums } from './add-up.ts';
import { createCellPower } from './cell-power.ts';

const start = Date.UTC(2026, 0, 1);
const types: readonly DerTypeId[] = ['solar', 'battery', 'meter'];
const cells = ['one', 'two', 'three'];

const routeOf = (no: number, cell: string | null): TelemetryRoute =>
  ({ no, cell, der_type: types[no % types.length]!, gateway_serial: `gw-${no % 4}` }) as TelemetryRoute;

type Numbers = { import: number; export: number; soc: number; socs: number; hz: number; hzs: number };
type Heard = { at: number; cell: string; serial: string; type: DerTypeId; values: Record<string, unknown> };

const nothing = (): Numbers => ({ import: 0, export: 0, soc: 0, socs: 0, hz: 0, hzs: 0 });

/** Every reading is kept and every question adds all of them up. */
function createPlain() {
  const heard = new Map<number, Heard>();
  return {
    note(route: TelemetryRoute, at: number, values: Record<string, unknown>): void {
      const { no, cell, der_type: type, gateway_serial: serial } = route;
      const known = heard.get(no);
      if (known?.cell !== cell) heard.delete(no);
      if (cell !== null && !(known?.cell === cell && known.at > at)) heard.set(no, { at, cell, serial, type, values });
    },
    keepOnly(ders: ReadonlySet<number>, at: string): void {
      for (const [no, { serial }] of heard) if (serial === at && !ders.has(no)) heard.delete(no);
    },
    sums(asked: string, since: number): Record<string, Numbers> {
      const all = nothing();
      const sums: Record<string, Numbers> = { all };
      for (const { at, cell, type, values } of heard.values()) {
        if (cell !== asked || at < since) continue;
        sums[type] ??= nothing();
        const { W, SoC_nom_fract: soc, Hz } = values;
        if (typeof W === 'number') sums[type][W > 0 ? 'import' : 'export'] += Math.abs(W);
        if (typeof soc === 'number' && type === 'battery') add(sums[type], 'soc', soc);
        if (typeof Hz === 'number') add(all, 'hz', Hz);
      }
      return sums;
    },
  };
}

function add(numbers: Numbers, name: 'soc' | 'hz', value: number): void {
  numbers[name] += value;
  numbers[`${name}s`]++;
}

function numbersOf({ types: byType, hz }: CellSums): Record<string, Numbers> {
  const ofTypes = [...byType].map(([type, { importW, exportW, soc }]): [string, Numbers] => [
    type,
    { ...nothing(), import: importW.value, export: exportW.value, soc: soc.value, socs: soc.count },
  ]);
  return { ...Object.fromEntries(ofTypes), all: { ...nothing(), hz: hz.value, hzs: hz.count } };
}

function sameNumbers(found: Record<string, Numbers>, wanted: Record<string, Numbers>): void {
  for (const type of [...types, 'all']) {
    const [one, other] = [found[type] ?? nothing(), wanted[type] ?? nothing()];
    for (const name of Object.keys(other) as (keyof Numbers)[]) {
      // Both are sums of up to 20 numbers, added in another order.
      const difference = Math.abs(one[name] - other[name]);
      assert.ok(difference <= 1e-14 * other[name], `${type} ${name}: ${one[name]}, not ${other[name]}`);
    }
  }
}

const decimal = (least: number, most: number) =>
  fc.integer({ min: least * 1000, max: most * 1000 }).map((thousandths) => thousandths / 1000);
const power = fc.oneof(fc.integer({ min: -20_000, max: 20_000 }), decimal(-1e5, 1e5));
const values = fc.record(
  {
    W: fc.oneof(power, fc.constant('none')),
    Hz: decimal(49, 51),
    SoC_nom_fract: decimal(0, 1),
  },
  { requiredKeys: [] },
);
const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('note' as const),
      no: fc.nat(19),
      cell: fc.constantFrom(...cells, ...cells, null),
      ageMs: fc.oneof(fc.nat(2000), fc.integer({ min: -60_000, max: 2 * recentMs })),
      values,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.oneof(fc.nat(1500), fc.nat(recentMs)) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('set back' as const), ms: fc.integer({ min: 1001, max: recentMs }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('keep' as const), ders: fc.array(fc.nat(19)), gateway: fc.nat(3) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('ask' as const) }) },
);

test('the sums of a cell equal those of its recent readings, after any readings, moves, removals and clock changes', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 20, maxLength: 120 }), (steps) => {
      const [kept, plain] = [createCellPower(), createPlain()];
      let now = start;
      const ask = (): void => {
        for (const cell of cells)
          sameNumbers(numbersOf(kept.sums(cell, now - recentMs)), plain.sums(cell, now - recentMs));
      };
      for (const action of steps) {
        if (action.do === 'wait') now += action.ms;
        if (action.do === 'ask' || action.do === 'set back') ask();
        if (action.do === 'set back') {
          now -= action.ms;
          ask();
        }
        for (const each of [kept, plain]) {
          if (action.do === 'note') each.note(routeOf(action.no, action.cell), now - action.ageMs, action.values);
          if (action.do === 'keep') each.keepOnly(new Set(action.ders), `gw-${action.gateway}`);
        }
      }
      ask();
    }),
    { numRuns: 400 },
  );
});

test('after a million readings the sums are exact', () => {
  const kept = createCellPower();
  const last = new Map<number, number>();
  for (let n = 0; n < 1_000_000; n++) {
    const W = (n % 7 === 0 ? 1e6 : 1) * (0.1 + (n % 1000) / 3000);
    kept.note(routeOf(n % 300, 'one'), start + n, { W });
    last.set(n % 300, W);
  }
  const exact = (type: number): number => {
    const found = [...last].flatMap(([no, W]) => (no % types.length === type ? [W] : []));
    return found.toSorted((a, b) => a - b).reduce((sum, W) => sum + W, 0);
  };
  const sums = kept.sums('one', start);
  for (const [index, type] of types.entries()) {
    const { value } = sums.types.get(type)!.importW;
    assert.ok(Math.abs(value - exact(index)) <= 1e-14 * value, `${type}: ${value}, not ${exact(index)}`);
  }
  assert.equal(kept.sums('one', start + 1_000_000).types.size, 0);
});
