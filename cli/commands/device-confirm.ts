import { confirmControl } from '#contract/gateway/control.ts';
import { gatewayOptions, openGateway } from '../gateways/gateway-address.ts';
import { findDevice } from '../gateways/gateway-devices.ts';
import { command } from '../line/command.ts';
import { agree, yesOption } from '../terminal/confirm.ts';
import { jsonOption, printResult } from '../terminal/output.ts';

const name = 'device confirm';

const confirmCommand = command({
  name,
  summary: 'Confirm that a device obeys, so that it can be controlled',
  arguments: [{ name: 'sn', says: 'serial of the device, as ohmstead device list shows it' }],
  options: { ...gatewayOptions, yes: yesOption, json: jsonOption },
  examples: ['device confirm SN-A2311', 'device confirm SN-A2311 --yes'],
  async run({ arguments: { sn }, options }, shell) {
    const { api } = openGateway(options, shell);
    const { control } = await findDevice(api, sn);
    if (control === 'unconfirmed') {
      const question = `Have you checked that ${sn} obeys? Its control is known from one source only and was not tried on hardware.`;
      await agree(options.yes, question, shell, name);
    }
    const confirmed = await api.call(confirmControl, { params: { sn }, body: {} });
    printResult(
      shell,
      options.json,
      confirmed,
      `${sn} can be controlled. Begin with a small power, and watch the device.`,
    );
  },
});

export const confirmCommands = [confirmCommand];
