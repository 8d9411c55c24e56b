import { setDerFlags } from '#contract/gateway/devices.ts';
import { gatewayOptions, openGateway } from '../gateways/gateway-address.ts';
import { chooseDers, findDevice } from '../gateways/gateway-devices.ts';
import { type Command, command } from '../line/command.ts';
import { jsonOption, printResult } from '../terminal/output.ts';

function flagCommand(word: string, enabled: boolean, summary: string, outcome: string): Command {
  return command({
    name: `device ${word}`,
    summary,
    arguments: [
      { name: 'sn', says: 'serial of the device, as ohmstead device list shows it' },
      { name: 'ders', optional: true, says: 'which of its DERs, comma separated; all when left out' },
    ],
    options: { ...gatewayOptions, json: jsonOption },
    examples: [`device ${word} SN-A2311`, `device ${word} SN-A2311 pv,battery`],
    async run({ arguments: { sn, ders: given }, options }, shell) {
      const { api } = openGateway(options, shell);
      const kinds = chooseDers(await findDevice(api, sn), given);
      const ders = kinds.map((type) => ({ type, enabled }));
      await api.call(setDerFlags, { params: { sn }, body: { ders } });
      printResult(shell, options.json, { sn, ders }, `${kinds.join(', ')} of ${sn} ${outcome}`);
    },
  });
}

export const derCommands = [
  flagCommand(
    'enable',
    true,
    'Send the DERs of a device to the platform',
    'is sent to the platform, once the gateway is claimed and the device is provisioned.',
  ),
  flagCommand('disable', false, 'Stop sending DERs of a device to the platform', 'is no longer sent to the platform.'),
];
