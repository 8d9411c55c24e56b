import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, type TestContext, test } from 'node:test';
import { composeClaim } from '#contract/claim.ts';
import { connect, type Ohmstead } from '#contract/client/connect.ts';
import { makeKey } from '#contract/client/key.ts';
import { type CommandStatus, createCommand, heldCommand, listCommands } from '#contract/cloud/commands.ts';
import { provisionDevice } from '#contract/cloud/devices.ts';
import { claimGateway } from '#contract/cloud/gateways.ts';
import { createOrganization } from '#contract/cloud/organizations.ts';
import { createSite } from '#contract/cloud/sites.ts';
import { Problem } from '#contract/problem.ts';
import { formatTime } from '#contract/time.ts';
import { commandAckTopic } from '#contract/topics.ts';
import { connectGateway, type GatewayClient } from '#test/cloud/gateway-client.ts';
import { p256 } from '#test/cloud/people.ts';
import { freePort } from '#test/free-port.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { until } from '#test/until.ts';
import { openSession } from '../sign-in/session.ts';
import { findDer } from '../sites/find-der.ts';
import { runCloud } from '../testing/child-process.ts';
import { openShell, runInProcess } from '../testing/in-process.ts';
import { openPlatform } from '../testing/people.ts';

suite('commands of a platform that a gateway answers', () => {
  const signer = p256();
  let api: Ohmstead;
  let gateway: GatewayClient;
  let battery = '';
  const afterwards: (() => void)[] = [];
  after(async () => {
    await gateway.endAsync(true);
    for (const end of afterwards) end();
  });
  const folder = temporaryFolder({ after });

  before(async () => {
    const mqttPort = await freePort();
    const t = { after: (end: () => void) => afterwards.push(end) } as unknown as TestContext;
    const { url } = await runCloud(t, { DATA_DIR: join(folder, 'data'), MQTT_PORT: String(mqttPort) });
    api = await connect(url, { key: (await makeKey()).key });
    const { id: org_id } = await api.call(createOrganization, { body: { name: 'Home' } });
    const { id: site_id } = await api.call(createSite, { body: { org_id, name: 'House' } });
    const { serial: gateway_serial, publicKey: public_key } = signer;
    const message = composeClaim({
      claimerId: api.identityId,
      nonce: 'n',
      timestamp: formatTime(Date.now()),
      serial: gateway_serial,
    });
    const claim = { org_id, gateway_serial, public_key, message, signature: signer.sign(message) };
    await api.call(claimGateway, { body: claim });
    const inverter = { gateway_serial, site_id, device_type: 'inverter' };
    const ders = [{ name: 'pv', type: 'solar' }];
    await api.call(provisionDevice, { body: { ...inverter, hardware_id: 'I2', name: 'Garage', ders } });
    const both = [...ders, { name: 'cellar', type: 'battery' }];
    const roof = await api.call(provisionDevice, {
      body: { ...inverter, hardware_id: 'I1', name: 'Roof', ders: both },
    });
    battery = roof.ders.find(({ type }) => type === 'battery')!.id;
    gateway = await connectGateway(`mqtt://127.0.0.1:${mqttPort}`, signer, Date.now());
  });

  for (const given of ['cellar', 'Roof/cellar', 'I1/cellar']) {
    test(`the battery is found as ${given}`, async () => {
      assert.equal((await findDer(api, given)).id, battery);
      assert.equal((await findDer(api, given, 'House')).id, battery);
    });
  }

  test('a DER is found by its id', async () => assert.equal((await findDer(api, battery)).name, 'cellar'));

  for (const [given, site, code, says] of [
    [
      'pv',
      undefined,
      'conflict',
      /^Several DERs are named "pv"; choose one by its id:\n {2}der-\S+ {2}\w+\/pv\n {2}der-/,
    ],
    ['celar', undefined, 'not_found', /^No DER is named "celar"; did you mean "cellar"\?$/],
    ['cellar', 'Hause', 'not_found', /^No site is named "Hause"; did you mean "House"\?$/],
    ['der-unknown', undefined, 'not_found', /./],
  ] as const) {
    test(`${given}${site ? ` in ${site}` : ''} is answered with ${code}`, async () => {
      await assert.rejects(
        findDer(api, given, site),
        (error) => error instanceof Problem && error.code === code && says.test(error.message),
      );
    });
  }

  /** Issues a command and has the gateway say what became of it. */
  async function commanded(power_w: number, ...said: CommandStatus[]): Promise<string> {
    const { id } = await api.call(createCommand, { params: { der_id: battery }, body: { power_w, ttl_s: 600 } });
    for (const status of said) {
      await gateway.publishAsync(
        commandAckTopic(signer.serial, 'battery', 'I1'),
        JSON.stringify({ command_id: id, status }),
        { qos: 1 },
      );
    }
    const statusOf = async (): Promise<string | undefined> => {
      for await (const command of api.pages(listCommands, { params: { der_id: battery } })) {
        if (command.id === id) return command.status;
      }
      return undefined;
    };
    await until(statusOf, (status) => status === (said.at(-1) ?? 'sent'));
    return id;
  }

  const held = async (): Promise<string | undefined> =>
    heldCommand(await api.call(listCommands, { params: { der_id: battery } }))?.id;

  test('what holds is the last command that was applied and is not over', async () => {
    assert.equal(await held(), undefined);
    const first = await commanded(1000, 'applied');
    assert.equal(await held(), first);
    await commanded(9000, 'failed');
    assert.equal(await held(), first, 'one that failed replaces nothing');
    const second = await commanded(2000, 'applied');
    assert.equal(await held(), second);
    await commanded(3000, 'applied', 'expired', 'released');
    assert.equal(await held(), undefined, 'one that was released had replaced those before');
    assert.equal(await held(), undefined);
    const onItsWay = await commanded(4000);
    assert.equal(await held(), onItsWay);
  });
});

test('a command to a gateway that is offline is reported as not delivered', async () => {
  const platform = await openPlatform();
  try {
    const ada = await platform.person();
    const api = await openSession(openShell(ada.env).shell);
    const { id: org_id } = await api.call(createOrganization, { body: { name: 'Home' } });
    const { id: site_id } = await api.call(createSite, { body: { org_id, name: 'House' } });
    const { serial: gateway_serial, publicKey: public_key, sign } = p256();
    const timestamp = formatTime(Date.now());
    const message = composeClaim({ claimerId: ada.id, nonce: 'n', timestamp, serial: gateway_serial });
    const claim = { org_id, gateway_serial, public_key, message, signature: sign(message) };
    await api.call(claimGateway, { body: claim });
    const device = { gateway_serial, site_id, device_type: 'inverter', hardware_id: 'I1' };
    await api.call(provisionDevice, { body: { ...device, ders: [{ name: 'battery', type: 'battery' }] } });
    const { code, out, err } = await ada.run('command', 'battery', 'charge', '1kW');
    assert.equal(code, 1);
    assert.match(out, /not delivered: The gateway is not connected\.\n$/);
    assert.doesNotMatch(out, /sent/);
    assert.match(err, /^The gateway is offline\. .*expires at \d\d:\d\d:\d\d\./);
  } finally {
    await platform.close();
  }
});

for (const { args, code, says } of [
  { args: ['command', 'battery', 'charge', '3kW'], code: 1, says: /^You are not signed in/ },
  { args: ['command', 'battery', 'charge', '3kW', '--for', '25h'], code: 2, says: /^--for must be from 1s to 24h/ },
  { args: ['command', 'battery', 'chrge', '3kW'], code: 2, says: /did you mean charge\?$/ },
  { args: ['watch'], code: 1, says: /^You are not signed in/ },
  { args: ['watch', '--seconds', 'some'], code: 2, says: /^--seconds must be a number/ },
  { args: ['export', 'battery'], code: 1, says: /^You are not signed in/ },
  { args: ['export', 'battery', '--resolution', '2h'], code: 2, says: /^--resolution must be one of raw, 1m/ },
]) {
  test(`${args.join(' ')} of somebody unknown is answered with a sentence`, async () => {
    const { code: got, out, err } = await runInProcess(args, { OHMSTEAD_CONFIG_DIR: join(tmpdir(), 'nobody-is-here') });
    assert.deepEqual([got, out], [code, '']);
    assert.match(err.split('\n')[0]!, says);
  });
}
