import { confirmControl } from '#contract/gateway/control.ts';
import { setDerFlags } from '#contract/gateway/devices.ts';
import { onGateway } from '../gateways/gateway-address.ts';
import { chooseDers, findDevice } from '../gateways/gateway-devices.ts';
import type { Command } from '../line/command.ts';
import { requireConfirmation, yesOption } from '../terminal/output.ts';
import { addCommands } from './device-add.ts';
import { listCommands } from './device-list.ts';
import { provisionCommands } from './device-provision.ts';
import { typeCommands } from './device-types.ts';

function flagCommand(word: string, enabled: boolean, summary: string, outcome: string): Command {
  return onGateway(`device ${word}`, {
    summary,
    arguments: [
      { name: 'sn', help: 'serial of the device (see ohmstead device list)' },
      { name: 'ders', optional: true, help: 'DERs of the device, comma separated. Default: all' },
    ],
    examples: [`device ${word} SN-A2311`, `device ${word} SN-A2311 pv,battery`],
    async run({ api, arguments: { sn, ders: given } }) {
      const kinds = chooseDers(await findDevice(api, sn), given);
      const ders = kinds.map((type) => ({ type, enabled }));
      await api.call(setDerFlags, { params: { sn }, body: { ders } });
      return { result: { sn, ders }, text: `${kinds.join(', ')} of ${sn} ${outcome}` };
    },
  });
}

const derCommands = [
  flagCommand(
    'enable',
    true,
    'Send the DERs of a device to the platform',
    'will be sent to the platform once the gateway is claimed and the device is provisioned.',
  ),
  flagCommand('disable', false, 'Stop sending DERs of a device to the platform', 'is no longer sent to the platform.'),
];

const confirmCommand = onGateway('device confirm', {
  summary: 'Allow control of a device after you have checked that it follows commands',
  arguments: [{ name: 'sn', help: 'serial of the device (see ohmstead device list)' }],
  options: { yes: yesOption },
  examples: ['device confirm SN-A2311', 'device confirm SN-A2311 --yes'],
  async run({ api, arguments: { sn }, options }, shell) {
    const { control } = await findDevice(api, sn);
    if (control === 'unconfirmed') {
      const question = `Have you checked that ${sn} follows commands? Its control is documented by one source only and has not been tested on hardware.`;
      await requireConfirmation(options.yes, question, shell);
    }
    const confirmed = await api.call(confirmControl, { params: { sn }, body: {} });
    return { result: confirmed, text: `${sn} can now be controlled. Start with a small power and watch the device.` };
  },
});

export const commands = [
  ...typeCommands,
  ...addCommands,
  ...listCommands,
  ...derCommands,
  confirmCommand,
  ...provisionCommands,
];
