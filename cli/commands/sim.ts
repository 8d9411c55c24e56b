import { once } from 'node:events';
import type { FaultKind, FaultOptions } from '#sim/faults.ts';
import type { Player } from '#sim/roles.ts';
import { command, type Shell } from '../line/command.ts';
import { didYouMean, nearest } from '../line/nearest.ts';
import { UsageError } from '../line/usage-error.ts';
import { columns } from '../terminal/output.ts';
import { fleet } from './sim-fleet.ts';

const gatewayUrl = 'http://localhost:8081';

const sim = command({
  name: 'sim',
  summary: 'Play a house: inverters, meters, batteries and chargers on real wires, until Ctrl-C',
  options: {
    only: { says: 'who plays, comma separated; everybody when left out', value: 'NAMES' },
    list: { says: 'tell who can play, and start nobody' },
    'port-base': {
      says: 'first port; every address has its own, counted from it. 0 takes any. Default 5020',
      value: 'PORT',
    },
    host: { says: 'address to listen on. Default 127.0.0.1', value: 'HOST' },
    seed: { says: 'another seed is another weather and another family. Default 1', value: 'NUMBER' },
    fault: {
      says: 'what goes wrong: <name>=<fault>, with :<ms or exception code> and @<every nth message>, comma separated',
      value: 'FAULTS',
    },
    gateway: { says: `gateway that the curl lines name. Default ${gatewayUrl}`, value: 'URL' },
  },
  examples: ['sim', 'sim --only sungrow,p1-dsmr5', 'sim --only huawei --fault huawei=late:3000@4', 'sim --list'],
  async run({ options }, shell) {
    const { cast } = await import('#sim/roles.ts'); // here, so that no other command waits for all of it
    if (options.list) {
      shell.stdout.write(`${columns(cast.map(({ name, title }) => [name, title]))}\n`);
      return;
    }
    const only = options.only?.split(',');
    const unknown = only?.find((name) => !cast.some((player) => player.name === name));
    if (unknown !== undefined)
      throw wrong(
        `Nobody is called ${unknown}${hint(
          unknown,
          cast.map(({ name }) => name),
        )}`,
      );
    const { startStreet, usualPortBase } = await import('#sim/street.ts');
    const interrupted = shell.untilInterrupted();
    const street = await startStreet({
      ...(only && { only }),
      ...(options.host && { host: options.host }),
      portBase: whole(options['port-base'], 'port-base') ?? usualPortBase,
      seed: whole(options.seed, 'seed') ?? 1,
    }).catch((error: NodeJS.ErrnoException & { port?: number }) => {
      if (error.code !== 'EADDRINUSE') throw error;
      throw wrong(`Port ${error.port} is taken; choose another --port-base.`);
    });
    try {
      const { faultKinds } = await import('#sim/faults.ts');
      for (const text of options.fault?.split(',') ?? []) setFault(text, street.players, faultKinds);
      tell(street.players, options.gateway ?? gatewayUrl, shell);
      if (!interrupted.aborted) await once(interrupted, 'abort');
    } finally {
      await street.close();
    }
  },
});

const wrong = (sentence: string): UsageError => new UsageError(sentence, 'sim');
const hint = (name: string, names: readonly string[]): string => didYouMean(nearest(name, names));

function whole(text: string | undefined, option: string): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw wrong(`--${option} is a whole number.`);
  return Number(text);
}

function setFault(text: string, players: readonly Player[], kinds: readonly FaultKind[]): void {
  const { name, kind, amount, nth } =
    /^(?<name>[^=]+)=(?<kind>[a-z-]+)(:(?<amount>\d+))?(@(?<nth>[1-9]\d*))?$/.exec(text)?.groups ?? {};
  if (!name || !kind) throw wrong(`"${text}" is no fault; one is sungrow=late:3000@4.`);
  const player = players.find((player) => player.name === name);
  if (!player)
    throw wrong(
      `${name} does not play${hint(
        name,
        players.map(({ name }) => name),
      )}`,
    );
  const known = kinds.find((known) => known === kind);
  if (!known) throw wrong(`A fault is one of ${kinds.join(', ')}${hint(kind, kinds)}`);
  const options: FaultOptions = {
    ...(amount && { [known === 'exception' ? 'code' : 'ms']: Number(amount) }),
    ...(nth && { everyNth: Number(nth) }),
  };
  try {
    player.faults.set(known, options);
  } catch (error) {
    throw wrong(`${name}: ${(error as Error).message}`);
  }
}

function tell(players: readonly Player[], gateway: string, shell: Shell): void {
  const table = [
    ['NAME', 'PROFILE', 'ADDRESS', 'UNIT', 'PLAYS'],
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
    `${columns(table)}\n\nTo add one to a gateway:\n\n${adding.join('\n')}\n\nAll of them show the same house. Ctrl-C stops it.\n`,
  );
}

function addressOf({ type, ip, port, broker_host, broker_port, serial_port }: Player['connection']): string {
  if (serial_port) return String(serial_port);
  return type === 'mqtt' ? `mqtt://${broker_host}:${broker_port}` : `${ip}:${port}`;
}

export const simCommands = [sim, fleet];
