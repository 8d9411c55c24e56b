import { type ConnectionType, connectionTypeNames } from '#contract/gateway/connections.ts';
import { addDevice, listConnectionTypes, removeDevice } from '#contract/gateway/devices.ts';
import { chooseConnection, connectionOptions, readConnection } from '../gateways/connection-fields.ts';
import { onGateway } from '../gateways/gateway-address.ts';
import { findDevice, findProfile } from '../gateways/gateway-devices.ts';
import { requireConfirmation, yesOption } from '../terminal/output.ts';

const add = onGateway('device add', {
  summary: 'Add a device to a gateway; it is saved once it answers',
  arguments: [{ name: 'profile', help: 'device profile (see ohmstead device types)' }],
  options: {
    ...connectionOptions(),
    connection: {
      value: 'TYPE',
      oneOf: connectionTypeNames,
      help: 'connection type. Default: the first that has the given options',
    },
  },
  examples: [
    'device add sungrow --ip 192.168.1.20 --port 502',
    'device add sdm630 --serial-port /dev/ttyUSB0 --baud-rate 9600 --unit-id 2',
    'device add p1_meter --serial-port /dev/ttyUSB1',
    'device add ambibox --broker-host 192.168.1.30',
  ],
  async run({ api, arguments: { profile: given }, options }) {
    const profile = await findProfile(api, given);
    const { connection_types } = await api.call(listConnectionTypes);
    const form = chooseConnection(profile, connection_types, options);
    const fields = readConnection(form, profile, options);
    const added = await api.call(addDevice, { body: { ...fields, type: form.type as ConnectionType } });
    const { sn, ders } = added;
    const kinds = ders.map(({ type }) => type).join(', ');
    const sentences = [
      `${sn} is connected, with ${kinds || 'no measurements yet'}.`,
      `To send it to the platform: ohmstead device enable ${quoted(sn)}`,
    ];
    return { result: added, text: sentences };
  },
});

const remove = onGateway('device remove', {
  summary: 'Remove a device from a gateway; the platform keeps its history',
  arguments: [{ name: 'sn', help: 'serial of the device (see ohmstead device list)' }],
  options: { yes: yesOption },
  examples: ['device remove SN-A2311', 'device remove p1_meter --yes'],
  async run({ api, url, arguments: { sn }, options }, shell) {
    const { profile } = await findDevice(api, sn);
    await requireConfirmation(options.yes, `The gateway at ${url} will stop reading ${sn} (${profile}).`, shell);
    await api.call(removeDevice, { params: { sn } });
    return { result: { sn, removed: true }, text: `${sn} was removed from the gateway.` };
  },
});

const quoted = (sn: string): string => (/^[\w.:-]+$/.test(sn) ? sn : `'${sn}'`);

export const addCommands = [add, remove];
