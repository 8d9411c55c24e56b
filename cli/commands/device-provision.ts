import { deleteDevice, getDevice, provisionDevice } from '#contract/cloud/devices.ts';
import { derTypeOf } from '#contract/der.ts';
import type { DerEntry, DeviceEntry } from '#contract/gateway/devices.ts';
import { getCrypto } from '#contract/gateway/identity.ts';
import type { DerKind } from '#contract/gateway/reading.ts';
import { Problem } from '#contract/problem.ts';
import { onGateway } from '../gateways/gateway-address.ts';
import { chooseDers, findDevice, listGatewayDevices, listProfiles } from '../gateways/gateway-devices.ts';
import { isProblem } from '../line/errors.ts';
import { openSession, signedIn } from '../sign-in/session.ts';
import { findSite, siteOption } from '../sites/find-site.ts';
import { columns, requireConfirmation, yesOption } from '../terminal/output.ts';

const provision = onGateway('device provision', {
  summary: 'Add a device of a gateway to a site, so that its readings are stored and shown',
  arguments: [{ name: 'sn', help: 'serial of the device (see ohmstead device list)' }],
  options: {
    site: siteOption,
    name: { value: 'NAME', help: 'display name' },
    ders: { value: 'DERS', help: 'DERs to add, comma separated. Default: the enabled ones, or all' },
    'sub-meter': { help: 'the meter measures a circuit of the house, not the grid connection' },
  },
  examples: [
    'device provision SN-A2311',
    'device provision SN-A2311 --site House --name "Inverter in the cellar"',
    'device provision 99000001 --sub-meter --name "Heat pump"',
  ],
  async run({ api: gateway, arguments: { sn }, options }, shell) {
    const entry = await findDevice(gateway, sn);
    const { serialNumber: gateway_serial } = await gateway.call(getCrypto);
    const chosen = options.ders === undefined ? undefined : chooseDers(entry, options.ders);
    const model = (await listProfiles(gateway)).find(({ profile }) => profile === entry.profile)?.display_name;

    const api = await openSession(shell);
    const site = await findSite(api, options.site);
    const devices = await listGatewayDevices(api, site.id, gateway_serial);
    const known = devices.find(({ hardware_id }) => hardware_id === sn);
    const isSubMeter = options['sub-meter'] || known?.type === 'meter'; // a sub-meter stays one
    const ders = (chosen ?? usualDers(entry)).map((kind) => ({
      name: kind,
      type: kind === 'meter' && isSubMeter ? 'load' : derTypeOf(kind),
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
      if (!isProblem(cause, 'not_found')) throw cause;
      const sentence = `Gateway ${gateway_serial} is not in any of your organizations; claim it first: ohmstead gateway claim`;
      throw new Problem('not_found', sentence, {}, { cause });
    });

    const isSilent = ({ type, enabled }: DerEntry): boolean => !enabled && ders.some(({ name }) => name === type);
    const silent = entry.ders.filter(isSilent).map(({ type }) => type);
    const sentences = [
      `${device.created ? 'Added' : 'Updated'} ${device.name} (${device.id}) in ${site.name}.`,
      columns(device.ders.map(({ id, name, type }) => [`  ${id}`, name, type])),
      ...(silent.length > 0
        ? [`Not sent to the platform yet: ${silent.join(', ')}. To send: ohmstead device enable ${sn}`]
        : []),
    ];
    return { result: device, text: sentences };
  },
});

function usualDers({ ders }: DeviceEntry): DerKind[] {
  const enabled = ders.filter((der) => der.enabled);
  return (enabled.length > 0 ? enabled : ders).map(({ type }) => type);
}

const forget = signedIn('device forget', {
  summary: 'Delete a device and its history from the platform; the gateway keeps reading it',
  arguments: [{ name: 'device id', help: 'see ohmstead site show' }],
  options: { yes: yesOption },
  examples: ['device forget dev-0198f0a2-7c3e-7d10-9a52-5d1f0b6c2e11'],
  async run({ api, arguments: { 'device id': device_id }, options }, shell) {
    const { name, hardware_id } = await api.call(getDevice, { params: { device_id } });
    await requireConfirmation(
      options.yes,
      `This deletes ${name} (${hardware_id}) from its site and erases its history.`,
      shell,
    );
    await api.call(deleteDevice, { params: { device_id } });
    return { result: { device_id, deleted: true }, text: `${name} was deleted from the platform.` };
  },
});

export const provisionCommands = [provision, forget];
