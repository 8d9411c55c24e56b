import { once } from 'node:events';
import type { StreetDevice } from '#sim/endpoints.ts';
import type { FaultKind, FaultOptions } from '#sim/faults.ts';
import { command, type Shell, UsageError } from '../line/command.ts';
import { messageOf } from '../line/errors.ts';
import { didYouMean } from '../line/nearest.ts';
import { defaultedNumber, numberOption } from '../line/quantity.ts';
import { columns } from '../terminal/output.ts';
import { fleet } from './sim-fleet.ts';

const natural = { min: 0, isWhole: true };
const gatewayUrl = 'http://localhost:8081';

const sim = command('sim', {
  summary: 'Simulate the devices of a house (inverters, meters, batteries, chargers) until Ctrl-C',
  options: {
    only: { help: 'devices to simulate, comma separated. Default: all', value: 'NAMES' },
    list: { help: 'list the simulated devices and exit' },
    'port-base': numberOption(
      'PORT',
      'first port; each device uses the next one. 0 uses any free ports. Default 5020',
      natural,
    ),
    host: { help: 'address to listen on. Default 127.0.0.1', value: 'HOST' },
    seed: defaultedNumber('NUMBER', 'seed of the weather and the household', 1, natural),
    fault: {
      help: 'faults to simulate: <name>=<fault>[:<ms or exception code>][@<every nth message>], comma separated',
      value: 'FAULTS',
    },
    gateway: { help: `gateway in the printed curl commands. Default ${gatewayUrl}`, value: 'URL' },
  },
  examples: ['sim', 'sim --only sungrow,p1-dsmr5', 'sim --only huawei --fault huawei=late:3000@4', 'sim --list'],
  async run({ options }, shell) {
    const { streetDevices } = await import('#sim/endpoints.ts'); // loaded only by this command
    if (options.list) {
      shell.stdout.write(`${columns(streetDevices.map(({ name, title }) => [name, title]))}\n`);
      return;
    }
    const only = options.only?.split(',');
    const unknown = only?.find((name) => !streetDevices.some((player) => player.name === name));
    if (unknown !== undefined)
      throw new UsageError(`Unknown device ${unknown}${didYouMean(unknown, namesOf(streetDevices))}`);
    const { startStreet, defaultPortBase } = await import('#sim/street.ts');
    const interrupted = shell.untilInterrupted();
    const street = await startStreet({
      ...(only && { only }),
      ...(options.host && { host: options.host }),
      portBase: options['port-base'] ?? defaultPortBase,
      seed: options.seed,
    }).catch((error: NodeJS.ErrnoException & { port?: number }) => {
      if (error.code !== 'EADDRINUSE') throw error;
      throw new UsageError(`Port ${error.port} is in use; choose another --port-base.`);
    });
    try {
      const { faultKinds } = await import('#sim/faults.ts');
      for (const text of options.fault?.split(',') ?? []) setFault(text, street.players, faultKinds);
      printDevices(street.players, options.gateway ?? gatewayUrl, shell);
      if (!interrupted.aborted) await once(interrupted, 'abort');
    } finally {
      await street.close();
    }
  },
});

const namesOf = (devices: readonly { name: string }[]): string[] => devices.map(({ name }) => name);

function setFault(text: string, players: readonly StreetDevice[], kinds: readonly FaultKind[]): void {
  const { name, kind, amount, nth } =
    /^(?<name>[^=]+)=(?<kind>[a-z-]+)(:(?<amount>\d+))?(@(?<nth>[1-9]\d*))?$/.exec(text)?.groups ?? {};
  if (!name || !kind) throw new UsageError(`"${text}" is not a valid fault. Example: sungrow=late:3000@4`);
  const player = players.find((player) => player.name === name);
  if (!player) throw new UsageError(`${name} is not simulated${didYouMean(name, namesOf(players))}`);
  const known = kinds.find((known) => known === kind);
  if (!known) throw new UsageError(`The fault must be one of ${kinds.join(', ')}${didYouMean(kind, kinds)}`);
  const options: FaultOptions = {
    ...(amount && { [known === 'exception' ? 'code' : 'ms']: Number(amount) }),
    ...(nth && { everyNth: Number(nth) }),
  };
  try {
    player.faults.set(known, options);
  } catch (error) {
    throw new UsageError(`${name}: ${messageOf(error)}`);
  }
}

function printDevices(players: readonly StreetDevice[], gateway: string, shell: Shell): void {
  const table = [
    ['NAME', 'PROFILE', 'ADDRESS', 'UNIT', 'DEVICE'],
    ...players.map(({ name, title, profile, connection }) => [
      name,
      profile,
      addressOf(connection),
      String(connection.unit_id ?? '-'),
      title,
    ]),
  ];
  const adding = players.map(
    ({ connection }) =>
      `curl -X POST ${gateway}/api/devices -H 'Content-Type: application/json' -d '${JSON.stringify(connection)}'`,
  );
  shell.stdout.write(
    `${columns(table)}\n\nTo add one to a gateway:\n\n${adding.join('\n')}\n\nAll devices belong to the same house. Press Ctrl-C to stop.\n`,
  );
}

function addressOf({ type, ip, port, broker_host, broker_port, serial_port }: StreetDevice['connection']): string {
  if (serial_port) return String(serial_port);
  return type === 'mqtt' ? `mqtt://${broker_host}:${broker_port}` : `${ip}:${port}`;
}

export const commands = [sim, fleet];
