import { deleteDevice, getDevice, provisionDevice } from '#contract/cloud/devices.ts';
import { derTypeOf } from '#contract/der.ts';
import type { DeviceEntry } from '#contract/gateway/devices.ts';
import { getCrypto } from '#contract/gateway/identity.ts';
import type { DerKind } from '#contract/gateway/reading.ts';
import { Problem } from '#contract/problem.ts';
import { devicesBehind } from '../gateways/devices-behind.ts';
import { gatewayOptions, openGateway } from '../gateways/gateway-address.ts';
import { chooseDers, findDevice, listProfiles } from '../gateways/gateway-devices.ts';
import { command } from '../line/command.ts';
import { signedIn } from '../sign-in/session.ts';
import { findSite, siteOption } from '../sites/find-site.ts';
import { agree, yesOption } from '../terminal/confirm.ts';
import { columns, jsonOption, printResult } from '../terminal/output.ts';

const provision = command({
  name: 'device provision',
  summary: 'Make a device of a gateway known to a site, so that its values are kept and shown',
  arguments: [{ name: 'sn', says: 'serial of the device, as ohmstead device list shows it' }],
  options: {
    site: siteOption,
    name: { value: 'NAME', says: 'what people call it' },
    ders: { value: 'DERS', says: 'which of its DERs, comma separated; those that are enabled, or all, when left out' },
    'sub-meter': { says: 'it measures a circuit, not the grid connection: its meter is a load of the house' },
    ...gatewayOptions,
    json: jsonOption,
  },
  examples: [
    'device provision SN-A2311',
    'device provision SN-A2311 --site House --name "Inverter in the cellar"',
    'device provision 99000001 --sub-meter --name "Heat pump"',
  ],
  async run({ arguments: { sn }, options }, shell) {
    const gateway = openGateway(options, shell);
    const entry = await findDevice(gateway.api, sn);
    const { serialNumber: gateway_serial } = await gateway.api.call(getCrypto);
    const chosen = options.ders === undefined ? undefined : chooseDers(entry, options.ders);
    const model = (await listProfiles(gateway.api)).find(({ profile }) => profile === entry.profile)?.display_name;

    const api = await signedIn(shell);
    const site = await findSite(api, options.site);
    const [known] = await devicesBehind(api, site, gateway_serial, ({ hardware_id }) => hardware_id === sn);
    const isSubMeter = options['sub-meter'] || known?.type === 'meter'; // which it stays
    const ders = (chosen ?? usualDers(entry)).map((kind) => ({
      name: kind,
      type: kind === 'meter' && isSubMeter ? 'load' : derTypeOf(kind)!,
    }));
    const body = {
      gateway_serial,
      hardware_id: sn,
      device_type: isSubMeter ? 'meter' : entry.device_type,
      site_id: site.id,
      ...(options.name !== undefined && { name: options.name }),
      ...(model !== undefined && { model }),
      ders,
    };
    const device = await api.call(provisionDevice, { body }).catch((cause: unknown) => {
      if (!(cause instanceof Problem && cause.code === 'not_found')) throw cause;
      const sentence = `The gateway ${gateway_serial} is in none of your organizations; claim it first: ohmstead gateway claim`;
      throw new Problem('not_found', sentence, {}, { cause });
    });

    const silent = entry.ders.filter(({ type, enabled }) => !enabled && ders.some(({ name }) => name === type));
    const sentences = [
      `${device.id} is ${device.name} of ${site.name}${device.created ? '' : ', brought up to date'}.`,
      columns(device.ders.map(({ id, name, type }) => [`  ${id}`, name, type])),
      ...(silent.length > 0
        ? [`Not sent yet: ${silent.map(({ type }) => type).join(', ')}. To send: ohmstead device enable ${sn}`]
        : []),
    ];
    printResult(shell, options.json, device, sentences.join('\n'));
  },
});

function usualDers({ ders }: DeviceEntry): DerKind[] {
  const enabled = ders.filter((der) => der.enabled);
  return (enabled.length > 0 ? enabled : ders).map(({ type }) => type);
}

const forget = command({
  name: 'device forget',
  summary: 'Delete a device and its history from the platform; the gateway keeps reading it',
  arguments: [{ name: 'device id', says: 'as ohmstead site show tells it' }],
  options: { yes: yesOption, json: jsonOption },
  examples: ['device forget dev-0198f0a2-7c3e-7d10-9a52-5d1f0b6c2e11'],
  async run({ arguments: { 'device id': device_id }, options }, shell) {
    const api = await signedIn(shell);
    const { name, hardware_id } = await api.call(getDevice, { params: { device_id } });
    await agree(
      options.yes,
      `This deletes ${name} (${hardware_id}) from its site and erases its history.`,
      shell,
      forget.name,
    );
    await api.call(deleteDevice, { params: { device_id } });
    printResult(shell, options.json, { device_id, deleted: true }, `The platform has forgotten ${name}.`);
  },
});

export const provisionCommands = [provision, forget];
