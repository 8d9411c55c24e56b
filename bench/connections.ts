import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startCloudServer } from './cloud-server.ts';
import { enrolFleet } from './fleet/enrol.ts';
import { startGenerator } from './fleet/start-generator.ts';
import { type Finding, measured } from './measure/finding.ts';

const gateways = 10_000;
const settleMs = 15_000; // until presence is stored and the garbage of the logins is collected

/** Measures gateways that are connected and send nothing. */
export async function connections(): Promise<Finding[]> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'ohmstead-bench-'));
  const { logins } = await enrolFleet(folder.path, { sites: gateways, gateways });
  await using server = await startCloudServer(folder.path);
  const before = await server.usage();
  await using generator = await startGenerator(server, logins);
  const atOnce = await server.usage();
  await sleep(settleMs);
  const settled = await server.usage();
  await sleep(settleMs);
  const after = await server.usage();
  const loginUs = (atOnce.cpuUs - before.cpuUs) / gateways;
  const idleShare = (after.cpuUs - settled.cpuUs) / (settleMs * 1000);
  return [
    measured(`${gateways} gateways connect and log in`, 's', [generator.loginSeconds]),
    measured('a login, CPU', 'µs', [loginUs]),
    measured('memory before', 'MB', [before.memoryMb]),
    measured(`memory with ${gateways} idle connections`, 'MB', [after.memoryMb], { of: 'value', atMost: 250 }),
    measured('of it for the connections', 'MB', [after.memoryMb - before.memoryMb], { of: 'value', atMost: 250 }),
    measured('CPU while all are idle', '% of a core', [idleShare * 100]),
  ];
}
