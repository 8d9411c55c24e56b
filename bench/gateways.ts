import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMeter } from '#sim/fleet/gateway.ts';
import { connectOnce } from '#test/cloud/gateway-client.ts';
import { startCloudServer } from './cloud-server.ts';
import { enrolFleet, type Login } from './fleet/enrol.ts';
import { startGenerator } from './fleet/start-generator.ts';
import { type Finding, measured } from './measure/finding.ts';
import { inTurns } from './measure/rounds.ts';
import type { ServerProcess } from './measure/server-process.ts';
import { reach } from './reach.ts';

const count = 10_000;
const everySeconds = 10;
const perSecond = count / everySeconds;
const probeMs = 20;
const rounds = 5;

/** Measures a fleet whose gateways publish every ten seconds, and one more that waits for each acknowledgement. */
export async function gateways(): Promise<Finding[]> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'ohmstead-bench-'));
  const { logins } = await enrolFleet(folder.path, { sites: count + 1, gateways: count + 1 });
  await using server = await startCloudServer(folder.path);
  await using generator = await startGenerator(server, logins.slice(0, count));
  await generator.pace(perSecond, everySeconds); // each has sent a message: its presence is stored and its route cached
  const { found } = await inTurns(rounds, {
    found: async () => {
      const before = await server.usage();
      const [{ messages, seconds }, waitsMs] = await Promise.all([
        generator.pace(perSecond, everySeconds),
        probe(server, logins[count]!),
      ]);
      const after = await server.usage();
      return {
        carried: messages / seconds,
        cpuShare: (after.cpuUs - before.cpuUs) / (seconds * 10_000),
        memoryMb: after.memoryMb,
        p99Ms: waitsMs[Math.floor(waitsMs.length * 0.99)]!,
      };
    },
  });
  const row = (part: string, name: keyof (typeof found)[number], unit: string): Finding => ({
    ...measured(
      reach.gateways,
      unit,
      found.map((round) => round[name]),
    ),
    part: `${count} gateways, ${part}`,
  });
  return [
    row('messages', 'carried', '/s'),
    { ...row('CPU', 'cpuShare', '% of a core'), goal: { of: 'value', atMost: 60 } },
    row('memory', 'memoryMb', 'MB'),
    row('99 % to acknowledgement', 'p99Ms', 'ms'),
  ];
}

/** Returns how long acknowledgements take in the meantime, the shortest first. */
async function probe({ mqttUrl }: ServerProcess, { serial, password, topic }: Login): Promise<Float64Array> {
  const client = await connectOnce(mqttUrl!, { clientId: serial, username: serial, password, protocolVersion: 4 });
  const meter = createMeter(2);
  const waitsMs: number[] = [];
  for (const end = performance.now() + everySeconds * 1000; performance.now() < end; await sleep(probeMs)) {
    const began = performance.now();
    await client.publishAsync(topic, meter.read(Date.now()), { qos: 1 });
    waitsMs.push(performance.now() - began);
  }
  await client.endAsync();
  return Float64Array.from(waitsMs).sort();
}
