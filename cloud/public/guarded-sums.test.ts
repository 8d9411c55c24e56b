import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { DerTypeId } from '#contract/der.ts';
import { type HeardDer, partOf } from './add-up.ts';
import { guardedSums } from './guarded-sums.ts';

const now = Date.UTC(2026, 5, 1);
const minSites = 5;

type Values = { W?: number; SoC_nom_fract?: number; Hz?: number };

const toldBy = (site: string, type: DerTypeId, values: Values, at = now): HeardDer => ({
  der: `der-${site}`,
  site,
  type,
  part: partOf({ der_type: type, device_type: 'inverter' }, at, values),
});
const eachOf = (powers: readonly number[], type: DerTypeId = 'battery'): HeardDer[] =>
  powers.map((W, index) => ({ ...toldBy(`site-${index}`, type, { W }), der: `der-${index}` }));
const sumsOf = (ders: readonly HeardDer[]) => guardedSums(ders, now, minSites);

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
  test(`the sums of ${says} are ${told ? 'published' : 'withheld'}`, () => {
    assert.equal(sumsOf(ders).hidden.has('battery'), !told);
    if (!told) assert.equal(sumsOf(ders).types.get('battery'), undefined);
  });
}

test('a state of charge or a frequency that few measure is withheld, although their power is published', () => {
  const charged = (count: number): HeardDer[] =>
    eachOf([100, 100, 100, 100, 100]).map((der, index) =>
      index < count ? toldBy(der.site, der.type, { W: 100, SoC_nom_fract: 0.5, Hz: 50 }) : der,
    );
  const [few, enough] = [sumsOf(charged(4)), sumsOf(charged(5))];
  assert.deepEqual([few.types.get('battery')!.soc.count, few.hz.count], [0, 0]);
  assert.deepEqual([enough.types.get('battery')!.soc.count, enough.hz.count], [5, 5]);
  assert.equal(few.types.get('battery')!.importW.value, 500);
});

/** Sites that join and leave. The frequency has one bit per site, so that an answer shows which sites it includes. */
const sites = 12;
const histories = fc.record({
  idle: fc.uniqueArray(fc.nat(sites - 1), { maxLength: 6 }),
  steps: fc.array(fc.record({ site: fc.nat(sites - 1), isHere: fc.boolean() }), { minLength: 10, maxLength: 60 }),
});
const sitesIn = (hz: number): number[] =>
  Array.from({ length: sites }, (_, site) => site).filter((site) => hz & (2 ** site));

test('two answers differ by whole groups, or by sites that left and the sites that replaced them', () => {
  let pairs = 0;
  fc.assert(
    fc.property(histories, ({ idle, steps }) => {
      const here = new Map<number, string>();
      const answers: { told: number[]; left: number }[] = [];
      let left = 0;
      for (const [step, { site, isHere }] of steps.entries()) {
        if (isHere && !here.has(site)) here.set(site, `der-${String(step).padStart(2, '0')}`);
        if (!isHere && here.delete(site)) left++;
        const ders = [...here].map(([each, der]) => ({
          ...toldBy(`site-${String(each).padStart(2, '0')}`, 'solar', {
            W: idle.includes(each) ? 0 : -1000,
            Hz: 2 ** each,
          }),
          der,
        }));
        const sums = sumsOf(ders);
        if (sums.types.has('solar')) answers.push({ told: sitesIn(sums.hz.value), left });
      }
      for (const [index, later] of answers.entries()) {
        for (const earlier of answers.slice(0, index)) {
          const came = later.told.filter((site) => !earlier.told.includes(site)).length;
          const went = earlier.told.filter((site) => !later.told.includes(site)).length;
          assert.equal(Math.abs(came - went) % minSites, 0);
          if (earlier.left === later.left) assert.equal(went, 0, 'a new site replaces no other');
          pairs++;
        }
      }
    }),
    { numRuns: 300 },
  );
  assert.ok(pairs > 1000, `only ${pairs} pairs of answers were compared`);
});

test('when a site leaves while another waits, two answers differ by both', () => {
  const exported = (ders: readonly HeardDer[]) => sumsOf(ders).types.get('solar')!.exportW.value;
  for (const waiting of [0, 900]) {
    const ders = eachOf([-1000, -1100, -1200, -1300, -1400, -waiting], 'solar');
    assert.equal(exported(ders) - exported(ders.slice(1)), 1000 - waiting);
  }
});

test('an older site that is equipped after the others waits as they did', () => {
  const ders = eachOf([-1000, -1100, -1200, -1300, -1400], 'solar');
  const late = { ...toldBy('site', 'solar', { W: -5000 }), der: 'der-9' };
  assert.equal(sumsOf([late, ...ders]).types.get('solar')!.exportW.value, 6000);
});
