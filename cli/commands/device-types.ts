import { detectDevice, listConnectionTypes } from '#contract/gateway/devices.ts';
import { describeField } from '../gateways/connection-fields.ts';
import { gatewayOptions, type LocalGateway, openGateway } from '../gateways/gateway-address.ts';
import { findProfile, listProfiles } from '../gateways/gateway-devices.ts';
import { command, type Shell, UsageError } from '../line/command.ts';
import { columns, jsonOption, printList, printResult } from '../terminal/output.ts';

const types = command({
  name: 'device types',
  summary: 'List the supported devices, or show how to connect one of them',
  arguments: [{ name: 'profile', optional: true, help: 'show the options of device add for this profile' }],
  options: { ...gatewayOptions, json: jsonOption },
  examples: ['device types', 'device types sungrow'],
  async run({ arguments: { profile }, options }, shell) {
    const gateway = openGateway(options, shell);
    if (profile !== undefined) return printForm(gateway, profile, options.json, shell);
    const profiles = await listProfiles(gateway.api);
    const rows = options.json
      ? profiles
      : profiles.map((row) => ({ ...row, connection_types: row.connection_types.join(', ') }));
    printList(shell, options.json, rows, ['profile', 'device_type', 'connection_types', 'display_name']);
  },
});

async function printForm({ api }: LocalGateway, profile: string, json: boolean, shell: Shell): Promise<void> {
  const found = await findProfile(api, profile);
  const { connection_types } = await api.call(listConnectionTypes);
  const ways = connection_types.filter(({ type }) => found.connection_types.some((known) => known === type));
  const blocks = ways.map(({ description, type, parameters }) => {
    const rows = parameters.filter(({ name }) => name !== 'profile').map(describeField);
    return `${description} (${type}):\n${columns(rows).replaceAll(/^/gm, '  ')}`;
  });
  const text = [`${found.display_name}: ohmstead device add ${profile} with`, ...blocks].join('\n\n');
  printResult(shell, json, { ...found, connection_types: ways }, text);
}

const detect = command({
  name: 'device detect',
  summary: 'Detect the device at an address (Modbus TCP) and list matching profiles, best first',
  arguments: [{ name: 'target', help: 'IP address or host name, optionally with :port. Default: the usual ports' }],
  options: {
    'unit-id': { value: 'NUMBER', help: 'Modbus unit. Default: the usual units' },
    ...gatewayOptions,
    json: jsonOption,
  },
  examples: ['device detect 192.168.1.20', 'device detect inverter.local:1502 --unit-id 3'],
  async run({ arguments: { target }, options }, shell) {
    const { host, port } = endpointOf(target);
    const unit = options['unit-id'];
    if (unit !== undefined && !/^\d+$/.test(unit))
      throw new UsageError('--unit-id must be a whole number.', detect.name);
    const { api } = openGateway(options, shell);
    const body = { ip: host, ...(port && { port }), ...(unit !== undefined && { unit_id: Number(unit) }) };
    const found = await api.call(detectDevice, { body });
    const [best] = found.candidates;
    if (options.json || !best) {
      const sentence = `The device at ${found.ip}:${found.port} answers but matches no profile of this gateway.`;
      printResult(shell, options.json, found, sentence);
      return;
    }
    printList(shell, false, found.candidates, ['profile', 'unit_id', 'confidence', 'serial', 'reason']);
    const line = `ohmstead device add ${best.profile} --ip ${found.ip} --port ${found.port} --unit-id ${best.unit_id}`;
    shell.stdout.write(`\nTo add it: ${line}\n`);
  },
});

function endpointOf(target: string): { host: string; port?: number } {
  const { host, port } = /^(?<host>\[[\da-f:.]+\]|[^:/\s]+)(:(?<port>\d{1,5}))?$/i.exec(target)?.groups ?? {};
  if (!host)
    throw new UsageError(`"${target}" is not a valid address. Examples: 192.168.1.20, 192.168.1.20:1502`, detect.name);
  return { host: host.replaceAll(/[[\]]/g, ''), ...(port && { port: Number(port) }) };
}

export const typeCommands = [types, detect];
