import { type ConnectionType, connectionTypeNames } from '#contract/gateway/connections.ts';
import { addDevice, listConnectionTypes, removeDevice } from '#contract/gateway/devices.ts';
import { chooseConnection, connectionOptions, readConnection } from '../gateways/connection-fields.ts';
import { gatewayOptions, openGateway } from '../gateways/gateway-address.ts';
import { findDevice, findProfile } from '../gateways/gateway-devices.ts';
import { command } from '../line/command.ts';
import { agree, yesOption } from '../terminal/confirm.ts';
import { jsonOption, printResult } from '../terminal/output.ts';

const add = command({
  name: 'device add',
  summary: 'Connect a device to a gateway, which keeps it when it answers',
  arguments: [{ name: 'profile', says: 'what it is, as ohmstead device types lists it' }],
  options: {
    ...connectionOptions(),
    connection: {
      value: 'TYPE',
      oneOf: connectionTypeNames,
      says: 'how it is connected; the first way that has the given options when left out',
    },
    ...gatewayOptions,
    json: jsonOption,
  },
  examples: [
    'device add sungrow --ip 192.168.1.20 --port 502',
    'device add sdm630 --serial-port /dev/ttyUSB0 --baud-rate 9600 --unit-id 2',
    'device add p1_meter --serial-port /dev/ttyUSB1',
    'device add ambibox --broker-host 192.168.1.30',
  ],
  async run({ arguments: { profile: given }, options }, shell) {
    const { api } = openGateway(options, shell);
    const profile = await findProfile(api, given);
    const { connection_types } = await api.call(listConnectionTypes);
    const form = chooseConnection(profile, connection_types, options, add.name);
    const fields = readConnection(form, profile, options, add.name);
    const added = await api.call(addDevice, { body: { ...fields, type: form.type as ConnectionType } });
    const { sn, ders } = added;
    const kinds = ders.map(({ type }) => type).join(', ');
    const sentences = [
      `${sn} is connected, with ${kinds || 'nothing measured yet'}.`,
      `To send it to the platform: ohmstead device enable ${quoted(sn)}`,
    ];
    printResult(shell, options.json, added, sentences.join('\n'));
  },
});

const remove = command({
  name: 'device remove',
  summary: 'Take a device off a gateway; what the platform has of it stays',
  arguments: [{ name: 'sn', says: 'serial of the device, as ohmstead device list shows it' }],
  options: { yes: yesOption, ...gatewayOptions, json: jsonOption },
  examples: ['device remove SN-A2311', 'device remove p1_meter --yes'],
  async run({ arguments: { sn }, options }, shell) {
    const { api, url } = openGateway(options, shell);
    const { profile } = await findDevice(api, sn);
    await agree(options.yes, `The gateway at ${url} will not read ${sn} (${profile}) any more.`, shell, remove.name);
    await api.call(removeDevice, { params: { sn } });
    printResult(shell, options.json, { sn, removed: true }, `${sn} is no longer a device of the gateway.`);
  },
});

const quoted = (sn: string): string => (/^[\w.:-]+$/.test(sn) ? sn : `'${sn}'`);

export const addCommands = [add, remove];
