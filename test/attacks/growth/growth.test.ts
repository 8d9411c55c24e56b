import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { cloudRoutes } from '#contract/cloud/routes.ts';
import { gatewayRoutes } from '#contract/gateway/routes.ts';
import { priceServerRoutes } from '#contract/price/routes.ts';
import * as topics from '#contract/topics.ts';
import { demandsOf, nameOf, unknownParameters } from './demands.ts';
import { exemptions } from './exemptions.ts';
import { faultsOf, measureGrowth } from './measure.ts';
import { openGrowth } from './open-growth.ts';
import { type MeasuredCase, tableOf } from './table.ts';

const { cases, [Symbol.asyncDispose]: close } = await openGrowth();
after(close);

const routes = [...cloudRoutes, ...gatewayRoutes, ...priceServerRoutes];
const topicNames = Object.keys(topics).filter((name) => /^(?!parse)\w+Topic$/.test(name));

suite('everything with a size is measured', () => {
  const covered = new Set(cases.flatMap(({ covers }) => covers));
  const demanding = new Map<string, readonly string[]>([
    ...routes.filter((route) => demandsOf(route).length > 0).map((route) => [nameOf(route), demandsOf(route)] as const),
    ...topicNames.map((name) => [`topic ${name}`, ['a payload']] as const),
  ]);

  test('every route with a body has a case', () => {
    const missing = routes.filter((route) => route.body && !covered.has(nameOf(route)));
    assert.deepEqual(missing.map(nameOf), []);
  });

  test('every route and topic with a list, a range or a map has a case, or a reason for an exemption', () => {
    const measuredAsBody = new Set(cases.filter(({ unit }) => unit !== 'kB').flatMap(({ covers }) => covers));
    const missing = [...demanding].filter(([name]) => {
      const isCovered = name.startsWith('topic ') ? covered.has(name) : measuredAsBody.has(name);
      return !isCovered && !exemptions[name];
    });
    assert.deepEqual(missing, [], 'Add a case beside the others, or a reason to exemptions.ts.');
  });

  test('every parameter of a query is known to be a range, a list or a single value', () => {
    assert.deepEqual([...new Set(routes.flatMap(unknownParameters))], [], 'Add them to demands.ts.');
  });

  test('no exemption is left over', () => {
    assert.deepEqual(
      Object.keys(exemptions).filter((name) => !demanding.has(name)),
      [],
    );
  });
});

suite('a call that is 16 times as large costs at most 16 times as much', () => {
  const measured: MeasuredCase[] = [];
  after(() => console.log(tableOf(measured)));

  for (const growthCase of cases) {
    test(`${growthCase.covers.join(', ')}: ${growthCase.what}`, { timeout: 60_000 }, async () => {
      const figures = await measureGrowth(growthCase);
      measured.push({ growthCase, figures });
      assert.deepEqual(faultsOf(growthCase, figures), []);
    });
  }
});
