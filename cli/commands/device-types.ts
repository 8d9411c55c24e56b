import type { Client } from '#contract/client.ts';
import { detectDevice, listConnectionTypes } from '#contract/gateway/devices.ts';
import { describeField } from '../gateways/connection-fields.ts';
import { onGateway } from '../gateways/gateway-address.ts';
import { findProfile, listProfiles } from '../gateways/gateway-devices.ts';
import { UsageError } from '../line/command.ts';
import { numberOption } from '../line/quantity.ts';
import type { Report } from '../line/report.ts';
import { columns, tableOf } from '../terminal/output.ts';

const types = onGateway('device types', {
  summary: 'List the supported devices, or show how to connect one of them',
  arguments: [{ name: 'profile', optional: true, help: 'show the options of device add for this profile' }],
  examples: ['device types', 'device types sungrow'],
  async run({ api, arguments: { profile }, options }) {
    if (profile !== undefined) return describeForm(api, profile);
    const profiles = await listProfiles(api);
    const rows = options.json
      ? profiles
      : profiles.map((row) => ({ ...row, connection_types: row.connection_types.join(', ') }));
    return { items: rows, fields: ['profile', 'device_type', 'connection_types', 'display_name'] };
  },
});

async function describeForm(api: Client, profile: string): Promise<Report> {
  const found = await findProfile(api, profile);
  const { connection_types } = await api.call(listConnectionTypes);
  const ways = connection_types.filter(({ type }) => found.connection_types.some((known) => known === type));
  const blocks = ways.map(({ description, type, parameters }) => {
    const rows = parameters.filter(({ name }) => name !== 'profile').map(describeField);
    return `${description} (${type}):\n${columns(rows).replaceAll(/^/gm, '  ')}`;
  });
  const text = [`${found.display_name}: ohmstead device add ${profile} with`, ...blocks].join('\n\n');
  return { result: { ...found, connection_types: ways }, text };
}

const detect = onGateway('device detect', {
  summary: 'Detect the device at an address (Modbus TCP) and list matching profiles, best first',
  arguments: [{ name: 'target', help: 'IP address or host name, optionally with :port. Default: the usual ports' }],
  options: { 'unit-id': numberOption('NUMBER', 'Modbus unit. Default: the usual units', { min: 0, isWhole: true }) },
  examples: ['device detect 192.168.1.20', 'device detect inverter.local:1502 --unit-id 3'],
  async run({ api, arguments: { target }, options: { 'unit-id': unit_id } }) {
    const body = { ...endpointOf(target), ...(unit_id !== undefined && { unit_id }) };
    const found = await api.call(detectDevice, { body });
    const [best] = found.candidates;
    if (!best) {
      const sentence = `The device at ${found.ip}:${found.port} answers but matches no profile of this gateway.`;
      return { result: found, text: sentence };
    }
    const line = `ohmstead device add ${best.profile} --ip ${found.ip} --port ${found.port} --unit-id ${best.unit_id}`;
    const table = tableOf(found.candidates, ['profile', 'unit_id', 'confidence', 'serial', 'reason']);
    return { result: found, text: [table, '', `To add it: ${line}`] };
  },
});

function endpointOf(target: string): { ip: string; port?: number } {
  const { host, port } = /^(?<host>\[[\da-f:.]+\]|[^:/\s]+)(:(?<port>\d{1,5}))?$/i.exec(target)?.groups ?? {};
  if (!host) throw new UsageError(`"${target}" is not a valid address. Examples: 192.168.1.20, 192.168.1.20:1502`);
  return { ip: host.replaceAll(/[[\]]/g, ''), ...(Number(port) && { port: Number(port) }) };
}

export const typeCommands = [types, detect];
