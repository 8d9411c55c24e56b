import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { DerTypeId } from '#contract/der.ts';
import { partOf } from './add-up.ts';
import { guardedSums, type Told } from './guarded-sums.ts';

const now = Date.UTC(2026, 5, 1);
const minSites = 5;

type Values = { W?: number; SoC_nom_fract?: number; Hz?: number };

const toldBy = (site: string, type: DerTypeId, values: Values, at = now): Told => ({
  site,
  type,
  part: partOf(type, at, values),
});
const eachOf = (powers: readonly number[], type: DerTypeId = 'battery'): Told[] =>
  powers.map((W, index) => toldBy(`site-${index}`, type, { W }));
const sumsOf = (ders: readonly Told[]) => guardedSums(ders, now, minSites);

for (const { says, ders, told } of [
  { says: 'five alike', ders: eachOf([100, 100, 100, 100, 100]), told: true },
  { says: 'five of which none does anything', ders: eachOf([0, 0, 0, 0, 0]), told: true },
  {
    says: 'five that have been silent',
    ders: eachOf([9, 9, 9, 9, 9]).map((der) => ({ ...der, part: undefined })),
    told: true,
  },
  { says: 'four', ders: eachOf([100, 100, 100, 100]), told: false },
  {
    says: 'five batteries of one house',
    ders: [1, 2, 3, 4, 5].map((W) => toldBy('site', 'battery', { W })),
    told: false,
  },
  {
    says: 'five of which one was heard lately',
    ders: eachOf([9, 9, 9, 9, 9]).map((der, index) => (index === 0 ? der : { ...der, part: undefined })),
    told: false,
  },
  {
    says: 'five of which three with two each were heard lately',
    ders: [
      ...eachOf([9, 9, 9]),
      ...eachOf([9, 9, 9, 9, 9]).map((der, index) => (index < 3 ? der : { ...der, part: undefined })),
    ],
    told: false,
  },
  { says: 'five of which one charges', ders: eachOf([11_000, 0, 0, 0, 0]), told: false },
  { says: 'five of which two charge', ders: eachOf([5000, 5000, 0, 0, 0]), told: false },
  { says: 'five of which one discharges', ders: eachOf([100, 100, 100, 100, -100]), told: false },
  { says: 'five of which one does nearly all', ders: eachOf([10_000, 400, 300, 300, 300]), told: false },
  { says: 'five of which one does much', ders: eachOf([10_000, 600, 500, 500, 500]), told: true },
  {
    says: 'five houses of which one does nearly all with two of its own',
    ders: [...eachOf([5000, 400, 300, 300, 300]), toldBy('site-0', 'battery', { W: 5000 })],
    told: false,
  },
]) {
  test(`of ${says} the sums are ${told ? 'told' : 'kept back'}`, () => {
    assert.equal(sumsOf(ders).hidden.has('battery'), !told);
    if (!told) assert.equal(sumsOf(ders).types.get('battery'), undefined);
  });
}

test('a charge or a frequency that few measure is not told, though their power is', () => {
  const charged = (count: number): Told[] =>
    eachOf([100, 100, 100, 100, 100]).map((der, index) =>
      index < count ? toldBy(der.site, der.type, { W: 100, SoC_nom_fract: 0.5, Hz: 50 }) : der,
    );
  const [few, enough] = [sumsOf(charged(4)), sumsOf(charged(5))];
  assert.deepEqual([few.types.get('battery')!.soc.count, few.hz.count], [0, 0]);
  assert.deepEqual([enough.types.get('battery')!.soc.count, enough.hz.count], [5, 5]);
  assert.equal(few.types.get('battery')!.importW.value, 500);
});

test('no two answers differ by one site, whoever came, moved in or left between them', () => {
  // Each power is told from every other, and from every sum and difference of some, by the bits below 4096.
  const powerOf = (site: number): number => 4096 * 4 + 2 ** site;
  const steps = fc.array(fc.record({ site: fc.nat(11), isHere: fc.boolean() }), { minLength: 10, maxLength: 60 });
  let answers = 0;
  fc.assert(
    fc.property(steps, (history) => {
      const here = new Set<number>();
      let last: number | undefined;
      for (const { site, isHere } of history) {
        if (isHere) here.add(site);
        else here.delete(site);
        const ders = [...here].map((each) =>
          toldBy(`site-${String(each).padStart(2, '0')}`, 'solar', { W: -powerOf(each) }),
        );
        const sum = sumsOf(ders).types.get('solar')?.exportW.value;
        if (sum === undefined) continue;
        answers++;
        const difference = Math.abs(sum - (last ?? sum));
        for (let each = 0; each < 12; each++) assert.notEqual(difference, powerOf(each));
        last = sum;
      }
    }),
    { numRuns: 300 },
  );
  assert.ok(answers > 500, `only ${answers} answers were compared`);
});
