import { setTimeout as sleep } from 'node:timers/promises';
import { checkBrokers } from './broker.ts';
import { checkClock } from './clock.ts';
import { checkDataFolders } from './data-folder.ts';
import { checkDatabases } from './database.ts';
import { type Finding, findingsAbout } from './finding.ts';
import { checkGateway } from './gateway.ts';
import { checkConfiguration, checkMemory, checkNode } from './machine.ts';
import { checkMdns } from './mdns.ts';
import { checkPlatform } from './platform.ts';
import { checkPorts } from './ports.ts';
import { checkPrices } from './prices.ts';
import type { Scene } from './scene.ts';
import { checkSerialLines } from './serial-lines.ts';

type Check = (scene: Scene) => Promise<Finding[]>;

const patienceMs = 5000;

/** In the order in which they are told. */
const checks = {
  configuration: checkConfiguration,
  'Node.js': checkNode,
  memory: checkMemory,
  clock: checkClock,
  'data folder': checkDataFolders,
  database: checkDatabases,
  ports: checkPorts,
  platform: checkPlatform,
  broker: checkBrokers,
  gateway: checkGateway,
  mDNS: checkMdns,
  'serial lines': checkSerialLines,
  prices: checkPrices,
} as const satisfies Record<string, Check>;

type About = keyof typeof checks;

/** Everything there is to find, in a bounded time. */
export async function examine(scene: Scene): Promise<Finding[]> {
  const found = new Map<string, Finding[]>();
  const late = sleep(patienceMs, undefined, { ref: false });
  const look = async (about: About): Promise<void> => {
    found.set(about, await bounded(about, checks[about](scene), late));
  };
  const all = Object.keys(checks) as About[];
  await look('database'); // reads files in one go, and would make the others late
  await Promise.all(all.filter((about) => about !== 'database' && about !== 'ports').map(look));
  await look('ports'); // takes each for a moment, in which others would meet it there
  return all.flatMap((about) => found.get(about)!);
}

async function bounded(about: About, findings: Promise<Finding[]>, late: Promise<undefined>): Promise<Finding[]> {
  const found = findingsAbout(about);
  try {
    return (await Promise.race([findings, late])) ?? [found.warning('This took too long to find out.', 'Try again.')];
  } catch (error) {
    const says = `This could not be found out: ${(error as Error).message}`;
    return [found.problem(says, 'Try again; if it stays, please report it.')];
  }
}
