import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minuteMs } from '#contract/time.ts';
import { createLog } from '#lib/log.ts';
import { onEachEngine } from '#test/cloud/on-each-engine.ts';
import { until } from '#test/until.ts';
import { createGatewayVersions } from '../gateways/versions.ts';
import { listOpenAlerts } from '../store/alerts.ts';
import { findGateway } from '../store/gateways.ts';
import { onlyRules, openAlerting, platformVersion } from './testing/alert-home.ts';

onEachEngine('updates of gateways', async (cloud) => {
  test('one alert says that a gateway is older than the platform, until it is updated', async () => {
    const { clock, store } = cloud;
    const { site, owner, gateway } = await cloud.home();
    const alerting = openAlerting(cloud);
    const log = createLog({ level: 'silent', name: 'test' });
    const versions = createGatewayVersions({ store, clock, log });
    const report = async (version: string): Promise<void> => {
      clock.advance(minuteMs);
      versions.state(gateway.serial, Buffer.from(JSON.stringify({ serial: gateway.serial, version, online: true })));
      await until(async () => (await findGateway(store.db, gateway.serial))?.version === version);
      await alerting.turn();
    };
    const alerts = async () =>
      (await listOpenAlerts(store.db)).map(({ site_id, rule, facts }) => [site_id, rule, JSON.parse(facts)]);
    await onlyRules(cloud, owner, site, {});
    await report('1.9.0');
    assert.deepEqual(await alerts(), [], 'the rule is off');
    await onlyRules(cloud, owner, site, { update_available: { enabled: true } });
    alerting.watch.forget();
    await alerting.turn();
    const expected = [[site, 'update_available', { version: '1.9.0', newest: platformVersion, count: 1 }]];
    assert.deepEqual(await alerts(), expected);
    const junk = ['', '{', '[]', '{"version":7}', '{"version":"1.2"}', `{"version":"1.2.3-${'x'.repeat(99)}"}`];
    for (const text of junk) versions.state(gateway.serial, Buffer.from(text));
    await alerting.turn();
    assert.deepEqual(await alerts(), expected);
    await report(platformVersion);
    assert.deepEqual(await alerts(), []);
    await report('1.10.1');
    assert.deepEqual(await alerts(), []);
  });
});
