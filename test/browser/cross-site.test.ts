import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { cloudRoutes } from '#contract/cloud/routes.ts';
import { scanWifi } from '#contract/gateway/network.ts';
import { gatewayRoutes } from '#contract/gateway/routes.ts';
import { factoryReset, reboot } from '#contract/gateway/system.ts';
import { amount } from '../amount.ts';
import { openCloud } from '../cloud/open-cloud.ts';
import { chromiumMissing } from './chromium.ts';
import { attackAcrossSites, attackRebound, foreignHosts, launchRebound, leastArrived } from './cross-site.ts';
import { mutating, openDoorless, openGatewayVictim } from './foreign-victim.ts';

suite('a foreign page', { skip: chromiumMissing, timeout: 300_000 }, () => {
  let browser: Browser;
  before(async () => {
    browser = await launchRebound();
  });
  after(() => browser.close());

  for (const [index, host] of foreignHosts.entries()) {
    test(`at ${host} has no effect on a gateway, whatever it tries on any route`, async () => {
      await using victim = await openGatewayVictim();
      // In a short run each host tries every second route, and both together all of them.
      const routes = mutating.filter((_, at) => amount(2) === 2 || at % 2 === index);
      assert.ok(routes.length >= 10, `${routes.length} routes`);
      const tried = await attackAcrossSites(browser, host, victim, routes);
      assert.ok(tried >= routes.length * 15, `${tried} attempts`);
      assert.ok((await victim.arrived()).atRoutes >= leastArrived(routes), 'they have reached the gateway');
      assert.deepEqual(await victim.effects(), []);
    });
  }

  test('has an effect when the access checks are removed', async () => {
    await using victim = await openDoorless();
    await attackAcrossSites(browser, foreignHosts[0], victim, [reboot, factoryReset, scanWifi]);
    assert.deepEqual((await victim.effects()).toSorted(), [
      'GET /api/wifi/scan',
      'POST /api/system/factory-reset',
      'POST /api/system/reboot',
    ]);
  });

  test('whose name resolves to a gateway is answered 421 by every route and page', async (t) => {
    const { wanted, statuses } = await attackRebound(browser, async (port) => {
      const victim = await openGatewayVictim(port);
      t.after(async () => {
        assert.deepEqual(await victim.effects(), []);
        await victim[Symbol.asyncDispose]();
      });
      const pages = ['/', '/app', '/docs', '/openapi.json'].map((path) => ({ path, method: 'GET', text: '' }));
      return {
        wanted: (base) => [
          ...victim.wanted(gatewayRoutes, base),
          ...pages.map(({ path, ...rest }) => ({ url: base + path, ...rest })),
        ],
      };
    });
    for (const [index, status] of statuses.entries()) {
      assert.equal(status, 421, `${wanted[index]!.method} ${wanted[index]!.url}`);
    }
    assert.equal(statuses.length, gatewayRoutes.length + 4);
  });

  test('whose name resolves to a platform gets nothing that needs a token', async (t) => {
    const closed = cloudRoutes.filter(({ access }) => typeof access === 'object');
    const { wanted, statuses } = await attackRebound(browser, async (port) => {
      const cloud = await openCloud();
      t.after(() => cloud.close());
      await cloud.app.listen({ host: '127.0.0.1', port });
      return {
        wanted: (base) =>
          closed.map(({ method, path }) => ({ url: base + path.replaceAll(/\{\w+\}/g, 'x'), method, text: '{}' })),
      };
    });
    for (const [index, status] of statuses.entries()) {
      assert.ok([401, 403].includes(status), `${wanted[index]!.method} ${wanted[index]!.url}: ${status}`);
    }
    assert.equal(statuses.length, closed.length);
  });
});
