import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '#contract/client/connect.ts';
import { makeKey } from '#contract/client/key.ts';
import { createClient } from '#contract/client.ts';
import { createCommand } from '#contract/cloud/commands.ts';
import { addDer, provisionDevice } from '#contract/cloud/devices.ts';
import { createInvitation } from '#contract/cloud/invitations.ts';
import { registerClient } from '#contract/cloud/oauth.ts';
import { createOrganization } from '#contract/cloud/organizations.ts';
import { createSite } from '#contract/cloud/sites.ts';
import { addDevice } from '#contract/gateway/devices.ts';
import { signMessage } from '#contract/gateway/identity.ts';
import { commandAckTopic, logTopic } from '#contract/topics.ts';
import { systemClock } from '#lib/clock.ts';
import { sungrowHybrid } from '#sim/modbus/banks/sungrow.ts';
import { createDevice } from '#sim/modbus/device.ts';
import { startModbusTcp } from '#sim/modbus/tcp.ts';
import { fixedHouse } from '#sim/testing/fixed-house.ts';
import { connectGateway } from '../cloud/gateway-client.ts';
import type { SimulatedState } from '../stack/up-process.ts';
import { claimOwnGateway } from './own-gateway.ts';

/** A text that would run if a page treated it as more than text. */
export const hostile = (what: string): string => `"><img src=x onerror=ran=1><script>ran=1</script>${what}`;

/** The same within the twenty characters of a serial number. */
export const hostileSerial = '<svg/onload=ran=1>';

/** A person whose names all come from an attacker: through the API, a gateway, or a device. */
export async function plantHostileHome({ cloud_url, gateway_url, mqtt_url }: SimulatedState) {
  const { key, pem } = await makeKey();
  const api = await connect(cloud_url, { key, name: hostile('person') });
  const { id: org_id } = await api.call(createOrganization, { body: { name: hostile('organization') } });
  const { url } = await api.call(createInvitation, {
    params: { org_id },
    body: { role: 'viewer', name: hostile('invited') },
  });
  const { id: site_id } = await api.call(createSite, {
    body: { org_id, name: hostile('site'), price_area: 'SE3', tariff_id: hostile('tariff') },
  });

  const signer = await claimOwnGateway(api, org_id);
  const { serial } = signer;
  const hardware_id = hostile('hardware');
  const device = await api.call(provisionDevice, {
    body: {
      site_id,
      gateway_serial: serial,
      hardware_id,
      device_type: 'inverter',
      name: hostile('device'),
      manufacturer: hostile('manufacturer'),
      model: hostile('model'),
      ders: [
        { name: 'pv', type: 'solar' },
        { name: 'battery', type: 'battery' },
      ],
    },
  });
  const redirect_uri = 'https://example.org/%22%3E%3Cscript%3Eran=1%3C/script%3E';
  const clientOf = (uri: string) => ({ name: hostile('client'), redirect_uris: [uri], confidential: false });
  const { client_id } = await api.call(registerClient, { params: { org_id }, body: clientOf(redirect_uri) });
  await assert.rejects(
    api.call(registerClient, { params: { org_id }, body: clientOf('javascript:ran=1') }),
    /redirect/,
    'a script as address is refused',
  );
  await assert.rejects(
    api.call(addDer, { params: { device_id: device.id }, body: { name: 'a\u0000b', type: 'meter' } }),
    { code: 'invalid_request' },
    'a name with a control character is refused',
  );
  await api.call(addDer, { params: { device_id: device.id }, body: { name: hostile('der'), type: 'meter' } });

  const gateway = await connectGateway(mqtt_url, signer, Date.now());
  const report = async (): Promise<void> => {
    const timestamp = Date.now();
    await gateway.report(hardware_id, 'pv', { timestamp, W: -1200, make: hostile('make'), [hostile('field')]: 1 });
    await gateway.report(hardware_id, 'battery', { timestamp, W: 500, SoC_nom_fract: 0.5 });
    const line = { level: 'warn', time: timestamp, msg: hostile('log'), [hostile('key')]: hostile('value') };
    await gateway.publishAsync(logTopic(serial), JSON.stringify(line));
  };
  const telling = new AbortController();
  const told = (async () => {
    for (; !telling.signal.aborted; await sleep(500)) await report();
  })();
  const { id: command_id } = await api.call(createCommand, {
    params: { der_id: device.ders.find(({ name }) => name === 'battery')!.id },
    body: { power_w: 1000 },
  });
  await gateway.publishAsync(
    commandAckTopic(serial, 'battery', hardware_id),
    JSON.stringify({ command_id, status: 'failed', message: hostile('reason') }),
    { qos: 1 },
  );
  const bus = await startModbusTcp(
    [createDevice(sungrowHybrid(hostileSerial), { house: fixedHouse(), clock: systemClock })],
    { port: 0 },
  );
  const local = createClient({ baseUrl: gateway_url });
  const { sn } = await local.call(addDevice, {
    body: { type: 'modbus_tcp', profile: 'sungrow', ip: bus.host, port: bus.port, unit_id: 1 },
  });
  await local.call(signMessage, { body: { message: hostile('claimer') } });

  return {
    pem,
    org_id,
    secret: url.split('/').at(-1)!,
    site_id,
    device_id: device.id,
    serial,
    client_id,
    redirect_uri,
    sn,
    async [Symbol.asyncDispose]() {
      telling.abort();
      await told;
      await gateway.endAsync();
      await bus.close();
    },
  };
}
