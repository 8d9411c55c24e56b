import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { DerTypeId } from '#contract/der.ts';
import { recentMs } from '#contract/time.ts';
import { amount } from '#test/amount.ts';
import type { TelemetryStore } from '../store/telemetry/telemetry-store.ts';
import type { TelemetryRoute } from '../store/telemetry-registry.ts';
import { createLatest } from '../telemetry/live.ts';
import type { CellSums } from './add-up.ts';
import { createCellSums } from './cell-sums.ts';

const start = Date.UTC(2026, 0, 1);
const types: readonly DerTypeId[] = ['solar', 'battery', 'meter'];
const cells = ['one', 'two', 'three'];

const emptyStore = { latest: async () => new Map() } as Pick<TelemetryStore, 'latest'> as TelemetryStore;

/** A registry of DERs by number, and the sums of its cells. */
function open() {
  const registry = new Map<number, { cell: string | null; serial: string }>();
  const latest = createLatest(emptyStore, { isShared: false });
  const routeOf = (no: number): TelemetryRoute =>
    ({ no, der_id: `der-${no}`, site_id: 'site', der_type: types[no % types.length]! }) as TelemetryRoute;
  const listRoutes = async (asked: string): Promise<TelemetryRoute[]> =>
    [...registry].flatMap(([no, { cell }]) => (cell === asked ? [routeOf(no)] : []));
  const { sums, forget } = createCellSums({ listRoutes, latest, minSites: 1, isShared: false });
  let noted = 0;
  return {
    sums,
    note(no: number, cell: string | null, at: number, values: Record<string, unknown>): void {
      if (registry.get(no)?.cell !== cell) forget();
      registry.set(no, { cell, serial: serialOf(no) });
      latest.note(no, { at, received: at * 1000 + ++noted, values }); // never the same twice
    },
    keepOnly(ders: ReadonlySet<number>, at: string): void {
      for (const [no, { serial }] of registry) if (serial === at && !ders.has(no)) registry.delete(no);
      forget();
    },
  };
}

const serialOf = (no: number): string => `gw-${no % 4}`;

type Numbers = { import: number; export: number; soc: number; socs: number; hz: number; hzs: number };
type Heard = { at: number; cell: string | null; serial: string; values: Record<string, unknown> };

const nothing = (): Numbers => ({ import: 0, export: 0, soc: 0, socs: 0, hz: 0, hzs: 0 });

/** Every reading is kept and every question adds all of them up. */
function createPlain() {
  const heard = new Map<number, Heard>();
  const registered = new Set<number>();
  return {
    note(no: number, cell: string | null, at: number, values: Record<string, unknown>): void {
      const known = heard.get(no);
      const newer = known && known.at >= at ? known : { at, values };
      heard.set(no, { at: newer.at, values: newer.values, cell, serial: serialOf(no) });
      registered.add(no);
    },
    keepOnly(ders: ReadonlySet<number>, at: string): void {
      for (const [no, { serial }] of heard) if (serial === at && !ders.has(no)) registered.delete(no);
    },
    sums(asked: string, since: number): Record<string, Numbers> {
      const all = nothing();
      const sums: Record<string, Numbers> = { all };
      for (const [no, { at, cell, values }] of heard) {
        if (cell !== asked || at < since || !registered.has(no)) continue;
        const type = types[no % types.length]!;
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

test('the sums of a cell equal those of its recent readings, after any readings, moves, removals and clock changes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 120 }), async (steps) => {
      const [kept, plain] = [open(), createPlain()];
      let now = start;
      const ask = async (): Promise<void> => {
        for (const cell of cells)
          sameNumbers(numbersOf(await kept.sums(cell, now - recentMs)), plain.sums(cell, now - recentMs));
      };
      for (const action of steps) {
        if (action.do === 'wait') now += action.ms;
        if (action.do === 'ask' || action.do === 'set back') await ask();
        if (action.do === 'set back') {
          now -= action.ms;
          await ask();
        }
        for (const each of [kept, plain]) {
          if (action.do === 'note') each.note(action.no, action.cell, now - action.ageMs, action.values);
          if (action.do === 'keep') each.keepOnly(new Set(action.ders), `gw-${action.gateway}`);
        }
      }
      await ask();
    }),
    { numRuns: amount(400) },
  );
});

test('after many readings the sums are exact, and those of a large cell may be a second old', async () => {
  const kept = open();
  const last = new Map<number, number>();
  const read = (n: number): void => {
    const W = (n % 7 === 0 ? 1e6 : 1) * (0.1 + (n % 1000) / 3000);
    kept.note(n % 300, 'one', start + n, { W });
    last.set(n % 300, W);
  };
  for (let n = 0; n < 100_000; n++) read(n);
  const exact = (type: number): number => {
    const found = [...last].flatMap(([no, W]) => (no % types.length === type ? [W] : []));
    return found.toSorted((a, b) => a - b).reduce((sum, W) => sum + W, 0);
  };
  const check = async (since: number): Promise<void> => {
    const sums = await kept.sums('one', since);
    for (const [index, type] of types.entries()) {
      const { value } = sums.types.get(type)!.importW;
      assert.ok(Math.abs(value - exact(index)) <= 1e-14 * value, `${type}: ${value}, not ${exact(index)}`);
    }
  };
  await check(start);
  for (let n = 100_000; n < 101_000; n++) read(n);
  assert.equal(await kept.sums('one', start + 999), await kept.sums('one', start));
  await check(start + 1000);
  assert.equal((await kept.sums('one', start + 1_000_000)).types.size, 0);
});
