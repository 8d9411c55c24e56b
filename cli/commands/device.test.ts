import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, suite, test } from 'node:test';
import type { Device, ProvisionedDevice } from '#contract/cloud/devices.ts';
import type { Organization } from '#contract/cloud/organizations.ts';
import type { SiteDetails } from '#contract/cloud/sites.ts';
import { connectionTypes } from '#contract/gateway/connections.ts';
import type { DerEntry } from '#contract/gateway/devices.ts';
import { startStreet } from '#sim/street.ts';
import { openGateway } from '#test/gateway/open-gateway.ts';
import { until } from '#test/until.ts';
import { runInProcess } from '../testing/in-process.ts';
import { openPlatform, type Person } from '../testing/people.ts';
import type { ListedDevice } from './device-list.ts';

type Added = { sn: string; ders: DerEntry[] };

suite('devices', async () => {
  const street = await startStreet({ only: ['sungrow', 'p1-dsmr5', 'sdm630', 'ambibox'], portBase: 0 });
  const platform = await openPlatform();
  after(async () => {
    await platform.close();
    await street.close();
  });
  const connectionOf = (name: string) => street.players.find((player) => player.name === name)!.connection;
  const inverter = connectionOf('sungrow');
  const addInverter = ['device', 'add', 'sungrow', '--ip', String(inverter.ip), '--port', String(inverter.port)];

  const gateway = async (env: Record<string, string> = {}) => {
    const opened = await openGateway({ UPLINK_URL: platform.mqttUrl, ...env });
    after(() => opened.close());
    return opened;
  };

  const owner = async (gatewayUrl: string): Promise<Person> => {
    const person = await platform.person({ OHMSTEAD_GATEWAY: gatewayUrl });
    await person.result<Organization>('org', 'create', 'Home');
    await person.result('site', 'create', 'House');
    return person;
  };

  test('the types are those of the gateway, each with the options it is added by', async () => {
    const { url } = await gateway();
    const ada = platform.stranger({ OHMSTEAD_GATEWAY: url });
    assert.match(
      (await ada.run('device', 'types')).out,
      /^profile .+\n(.+\n)*sungrow +inverter +modbus_tcp, modbus_rtu +Sungrow /,
    );
    const { out } = await ada.run('device', 'types', 'sungrow');
    assert.match(out, /\(modbus_tcp\):\n(.+\n)* {2}--ip +\(required\)\n(.+\n)* {2}--unit-id +default 1\n/);
    const misspelt = await ada.run('device', 'types', 'sungro');
    assert.match(
      misspelt.err,
      /^The gateway does not support "sungro"; did you mean sungrow\? See ohmstead device types\.\n/,
    );
  });

  test('every parameter of every connection is an option of device add', async () => {
    const { out } = await platform.stranger().run('device', 'add', '--help');
    for (const { parameters } of Object.values(connectionTypes))
      for (const { name } of parameters)
        if (name !== 'profile') assert.ok(out.includes(`--${name.replaceAll('_', '-')} `), name);
  });

  test('a device is detected, and added by the line that detect prints', async () => {
    const { url } = await gateway();
    const ada = platform.stranger({ OHMSTEAD_GATEWAY: url });
    const detected = await ada.run('device', 'detect', `${String(inverter.ip)}:${String(inverter.port)}`);
    assert.equal(detected.code, 0, detected.err);
    assert.match(detected.out, /^profile .+\nsungrow +1 +high /);
    const line = /To add it: ohmstead (.+)\n$/.exec(detected.out)![1]!;
    const added = await ada.run(...line.split(' '));
    assert.equal(added.code, 0, added.err);
    assert.match(
      added.out,
      /^SIMSUNGROW0001 is connected, with .*pv.*\.\nTo send it to the platform: ohmstead device enable SIMSUNGROW0001\n$/,
    );
  });

  test('control of a device that is not proven is confirmed once, which a restart keeps and removing forgets', async () => {
    const opened = await gateway();
    const { url } = opened;
    const ada = platform.stranger({ OHMSTEAD_GATEWAY: url });
    const charger = connectionOf('ambibox');
    const { sn } = (await opened.call('POST', '/api/devices', charger)).body;
    const trust = async () => (await opened.call('GET', '/api/devices')).body.devices[0].control;
    const refused = await opened.call('POST', `/api/control/${sn}/init`);
    assert.deepEqual([refused.status, refused.body.error], [409, 'control_unconfirmed']);
    assert.ok(refused.body.message.includes(`ohmstead device confirm ${sn}`));

    const unasked = await ada.run('device', 'confirm', sn);
    assert.match(
      unasked.err,
      /^Have you checked that .+ follows commands\? .+ There is no terminal to confirm this on; add --yes to go ahead\./,
    );
    assert.equal(await trust(), 'unconfirmed');
    const confirmed = await ada.result<{ sn: string; confirmed_at: number }>('device', 'confirm', sn, '--yes');
    assert.equal(confirmed.sn, sn);
    await opened.restart();
    assert.equal(await trust(), 'confirmed');
    const again = await opened.call('POST', `/api/control/${sn}/confirm`, {});
    assert.equal(again.body.confirmed_at, confirmed.confirmed_at);

    await opened.call('DELETE', `/api/devices/${sn}`);
    await opened.call('POST', '/api/devices', charger);
    assert.equal(await trust(), 'unconfirmed');
  });

  for (const LOCAL_API of ['open', 'guarded']) {
    test(`a claimed gateway keeps its broker and its data from callers without the local token (${LOCAL_API})`, async () => {
      const opened = await gateway({ LOCAL_API });
      const localToken = (await runInProcess(['gateway', 'token', '--data', opened.folder])).out.trim();
      const authorization = `Bearer ${localToken}`;
      const ownerRoutes = [
        ['POST', '/api/system/mqtt', { mqtt_connection_str: 'mqtt://rogue.local:1883' }],
        ['DELETE', '/api/system/mqtt', undefined],
        ['POST', '/api/system/factory-reset', undefined],
      ] as const;
      const isClaimed = async (): Promise<boolean> => (await opened.call('GET', '/api/status')).body.claimed;
      const broker = async () => (await opened.call('GET', '/api/system/mqtt')).body;
      assert.equal(await isClaimed(), false);

      const ada = await owner(opened.url);
      await ada.result('gateway', 'claim', '--token', localToken);
      const { sn } = (await opened.call('POST', '/api/devices', inverter, { authorization })).body;
      await ada.result('device', 'enable', sn, '--token', localToken);
      await until(isClaimed, Boolean, 40_000);
      const before = await broker();
      const attack = async (): Promise<void> => {
        for (const [method, path, body] of ownerRoutes) {
          for (const headers of [{}, { authorization: `${authorization}x` }, { authorization: localToken }]) {
            const answer = await opened.call(method, path, body, headers);
            assert.deepEqual([answer.status, answer.body.error], [403, 'local_token_required'], path);
            assert.match(answer.body.message, /ohmstead gateway token prints it/);
          }
        }
      };
      await attack();
      await opened.restart();
      await attack();
      assert.deepEqual(await broker(), before);
      assert.equal((await opened.call('GET', '/api/logs')).status, LOCAL_API === 'open' ? 200 : 401);

      assert.equal((await opened.call('DELETE', '/api/system/mqtt', undefined, { authorization })).status, 200);
      assert.equal((await opened.call('POST', '/api/system/factory-reset', undefined, { authorization })).status, 200);
      const tokenNow = async () => (await runInProcess(['gateway', 'token', '--data', opened.folder])).out.trim();
      await until(tokenNow, (token) => token !== '' && token !== localToken, 20_000); // the reset has emptied the folder
    });
  }

  test('devices on serial lines and brokers are added by their own options', async () => {
    const { url } = await gateway();
    const ada = platform.stranger({ OHMSTEAD_GATEWAY: url });
    const meter = await ada.result<Added>(
      'device',
      'add',
      'p1_meter',
      '--serial-port',
      String(connectionOf('p1-dsmr5').serial_port),
    );
    assert.equal(meter.sn, 'p1_meter');
    const { broker_host, broker_port } = connectionOf('ambibox');
    const charger = await ada.result<Added>(
      'device',
      'add',
      'ambibox',
      '--broker-host',
      String(broker_host),
      '--broker-port',
      String(broker_port),
    );
    assert.deepEqual(
      charger.ders.map(({ type }) => type),
      ['v2x_charger'],
    );
    const { out } = await ada.run('device', 'list');
    assert.match(out, /^sn +profile +connected +ders\n(.+\n)*p1_meter +p1_meter +yes +meter \(not sent\)\n/);
  });

  test('a device is added, enabled, provisioned, seen on both sides, heard, and gone', async () => {
    const home = await gateway();
    const ada = await owner(home.url);
    const { sn } = await ada.result<Added>(...addInverter);
    const unclaimed = await ada.run('device', 'provision', sn);
    assert.equal(unclaimed.code, 1);
    assert.equal(
      unclaimed.err,
      `Gateway ${home.serial} is not in any of your organizations; claim it first: ohmstead gateway claim\n`,
    );

    await ada.result('gateway', 'claim');
    assert.equal((await ada.run('device', 'enable', sn, 'pv,battery')).code, 0);
    const device = await ada.result<ProvisionedDevice>('device', 'provision', sn, '--name', 'In the cellar');
    assert.deepEqual(
      [device.type, device.hardware_id, device.name, device.created],
      ['inverter', sn, 'In the cellar', true],
    );
    assert.deepEqual(device.ders.map(({ name, type }) => `${name}: ${type}`).sort(), ['battery: battery', 'pv: solar']);
    assert.equal((await ada.result<ProvisionedDevice>('device', 'provision', sn)).created, false);
    await until(
      async () => (await ada.result<SiteDetails>('site', 'show')).devices[0]!.state,
      (state) => state === 'active',
      40_000,
    );

    const [joined] = await ada.result<ListedDevice[]>('device', 'list');
    assert.deepEqual([joined!.gateway?.sn, joined!.platform?.id], [sn, device.id]);
    assert.match(
      (await ada.run('device', 'list')).out,
      new RegExp(`\\n${sn} +sungrow +yes +.+ +${device.id} +In the cellar +active, online\\n`),
    );
    assert.match((await ada.run('device', 'show', sn)).out, /\n\ntype +pv\n(.+\n)*W +-?\d/);

    assert.equal((await ada.run('device', 'disable', sn)).code, 0);
    assert.match((await ada.run('device', 'list')).out, /pv \(not sent\)/);
    assert.equal((await ada.run('device', 'forget', device.id)).code, 2);
    assert.equal((await ada.run('device', 'forget', device.id, '--yes')).code, 0);
    assert.equal((await ada.run('device', 'remove', sn, '--yes')).code, 0);
    assert.deepEqual(await ada.result('device', 'list'), []);
  });

  test('the line of the README that adds a device ends with values at the platform', async () => {
    const { url } = await gateway();
    const ada = await owner(url);
    await ada.result('gateway', 'claim');
    const row = /^\| add a device \| (.+) \|$/m.exec(readFileSync('README.md', 'utf8'))![1]!;
    const lines = [...row.matchAll(/`ohmstead ([^`]+)`/g)].map(([, line]) => line!.replace('<sn>', 'SIMSUNGROW0001'));
    for (const line of lines) {
      const where = line
        .replace('detect 192.168.1.20', `detect ${inverter.ip}:${inverter.port}`)
        .replace('--ip 192.168.1.20', `--ip ${inverter.ip} --port ${inverter.port}`);
      const { code, err } = await ada.run(...where.split(' '));
      assert.equal(code, 0, `${line}: ${err}`);
    }
    await until(
      async () => (await ada.result<SiteDetails>('site', 'show')).devices[0]!.state,
      (state) => state === 'active',
      40_000,
    );
  });

  test('a sub-meter is a load; DERs that are not sent are reported', async () => {
    const { url } = await gateway();
    const ada = await owner(url);
    const { serial_port, ip, port, unit_id } = connectionOf('sdm630');
    const where = serial_port ? ['--serial-port', String(serial_port)] : ['--ip', String(ip), '--port', String(port)];
    const { sn } = await ada.result<Added>('device', 'add', 'sdm630', ...where, '--unit-id', String(unit_id));
    await ada.result('gateway', 'claim');
    const { out } = await ada.run('device', 'provision', sn, '--sub-meter');
    assert.match(out, new RegExp(`Not sent to the platform yet: meter\\. To send: ohmstead device enable ${sn}\n$`));
    const { devices } = await ada.result<SiteDetails>('site', 'show');
    assert.deepEqual([devices[0]!.type, devices[0]!.ders[0]!.type], ['meter', 'load']);
  });

  test('claiming a gateway again lists its orphaned devices and the commands to provision them; a sub-meter stays one', async () => {
    const { url, serial } = await gateway();
    const ada = await owner(url);
    const { ip, port, unit_id } = connectionOf('sdm630');
    const where = ['--ip', String(ip), '--port', String(port), '--unit-id', String(unit_id)];
    const { sn } = await ada.result<Added>('device', 'add', 'sdm630', ...where);
    assert.doesNotMatch((await ada.run('gateway', 'claim')).out, /orphaned/i);
    await ada.result('device', 'provision', sn, '--sub-meter');
    await ada.result('gateway', 'release', serial, '--yes');

    const { out } = await ada.run('gateway', 'claim');
    assert.match(out, /\nIt has 1 orphaned device\. .+ until you provision them again:\n/);
    const line = /^ {2}ohmstead (device provision .+)$/m.exec(out)![1]!;
    const again = await ada.result<ProvisionedDevice>(...line.split(' '));
    assert.deepEqual([again.created, again.state, again.type, again.ders[0]!.type], [false, 'active', 'meter', 'load']);
    assert.doesNotMatch((await ada.run('gateway', 'claim')).out, /orphaned/i);
  });

  test('meters with the same name on two gateways are distinguished', async () => {
    const [one, other] = [await gateway(), await gateway()];
    const ada = await owner(one.url);
    const serialPort = String(connectionOf('p1-dsmr5').serial_port);
    await ada.result('device', 'add', 'p1_meter', '--serial-port', serialPort);
    await ada.result('gateway', 'claim');
    const mine = await ada.result<Device>('device', 'provision', 'p1_meter');
    const there = ['--gateway', other.url];
    await ada.result('device', 'add', 'p1_meter', '--serial-port', serialPort, ...there);
    const listed = await ada.result<ListedDevice[]>('device', 'list', ...there);
    assert.deepEqual(
      listed.map(({ sn, gateway, platform }) => [sn, gateway !== null, platform?.id]),
      [
        ['p1_meter', true, undefined],
        ['p1_meter', false, mine.id],
      ],
    );
  });

  test('either side is shown when the other was not asked for and is away', async () => {
    const { url } = await gateway();
    const ada = await owner(url);
    await ada.result(...addInverter);
    const gone = await openPlatform();
    await ada.result('login', gone.url);
    await gone.close();
    const withoutPlatform = await ada.run('device', 'list');
    assert.deepEqual([withoutPlatform.code, withoutPlatform.err.split(':')[0]], [0, 'Cannot reach a platform at http']);
    assert.match(withoutPlatform.out, /^sn +profile .+\nSIMSUNGROW0001 /);
    assert.equal((await ada.run('device', 'list', '--site', 'House')).code, 1);

    await ada.result('login', platform.url);
    await ada.result('site', 'create', 'Cabin');
    const several = await ada.run('device', 'list');
    assert.equal(several.code, 0);
    assert.match(several.err, /^You have several sites\. Choose one/);
    assert.equal((await ada.run('device', 'list', '--gateway', 'http://127.0.0.1:9', '--site', 'House')).code, 1);
  });

  const { url: tableUrl } = await gateway();
  const bob = platform.stranger({ OHMSTEAD_GATEWAY: tableUrl });
  for (const { args, code, says } of [
    { args: 'device add sungrow', code: 2, says: /^Missing --ip to connect sungrow over modbus_tcp\.\n/ },
    { args: 'device add sungrow --ip 127.0.0.1 --port 1', code: 1, says: /127\.0\.0\.1/ },
    { args: 'device add sungrow --ip 127.0.0.1 --port many', code: 1, says: /^--port must be an integer\.$/m },
    { args: 'device add sungrow --ip 8.8.8.8', code: 1, says: /GATEWAY_TARGETS|private/ },
    {
      args: 'device add sungrow --broker-host x',
      code: 2,
      says: /^sungrow can be connected in these ways:\n {2}modbus_tcp: --ip --port --unit-id\n/,
    },
    { args: 'device add sungrow --ip 127.0.0.1 --connection mqtt', code: 2, says: /^sungrow can be connected in/ },
    { args: 'device add sungrwo --ip 127.0.0.1', code: 1, says: /did you mean sungrow\?/ },
    { args: 'device detect not/an/address', code: 2, says: /^"not\/an\/address" is not a valid address\. Examples: / },
    { args: 'device detect 127.0.0.1:1', code: 1, says: /127\.0\.0\.1:1/ },
    { args: 'device show nobody', code: 1, says: /^The gateway has no device "nobody": it has no devices\.\n/ },
    { args: 'device enable nobody', code: 1, says: /^The gateway has no device "nobody"/ },
    { args: 'device provision nobody', code: 1, says: /^The gateway has no device "nobody"/ },
    { args: 'device list --site House', code: 1, says: /^You are not signed in to / },
    {
      args: 'device list --gateway http://127.0.0.1:9',
      code: 1,
      says: /^Cannot reach a gateway at http:\/\/127\.0\.0\.1:9\. /,
    },
  ]) {
    test(`"${args}" is answered with ${says.source}`, async () => {
      const outcome = await bob.run(...args.split(' '));
      assert.equal(outcome.code, code, outcome.err);
      assert.match(outcome.err, says);
    });
  }
});
