import { setTimeout as sleep } from 'node:timers/promises';
import { keysOf } from '#contract/schema.ts';
import { messageOf } from '../line/errors.ts';
import { checkBrokers } from './broker.ts';
import type { DoctorContext } from './context.ts';
import { checkDataFolders } from './data-folder.ts';
import { checkDatabases } from './database.ts';
import { type Finding, type Outcome, problem, warning } from './finding.ts';
import { checkGateway, checkMdns } from './gateway.ts';
import { checkClock, checkConfiguration, checkMemory, checkNode } from './machine.ts';
import { checkPlatform } from './platform.ts';
import { checkPorts } from './ports.ts';
import { checkCarbon, checkPrices, checkTariffUpdates } from './prices.ts';
import { checkSerialLines } from './serial-lines.ts';

type Check = (scene: DoctorContext) => Promise<Outcome | Outcome[]>;

const timeoutMs = 5000;

/** In the order of the report. */
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
  tariffs: checkTariffUpdates,
  'carbon intensity': checkCarbon,
} as const satisfies Record<string, Check>;

type About = keyof typeof checks;

export async function runChecks(scene: DoctorContext): Promise<Finding[]> {
  const found = new Map<About, Outcome[]>();
  const late = sleep(timeoutMs, undefined, { ref: false });
  const look = async (about: About): Promise<void> => {
    found.set(about, [await bounded(checks[about](scene), late)].flat());
  };
  const all = keysOf(checks);
  await look('database'); // blocks while it reads files, which would delay the others
  await Promise.all(all.filter((about) => about !== 'database' && about !== 'ports').map(look));
  await look('ports'); // listens on each port for a moment, which would disturb the others
  return all.flatMap((about) => found.get(about)?.map((outcome) => ({ about, ...outcome })) ?? []);
}

async function bounded(work: ReturnType<Check>, late: Promise<undefined>): Promise<Outcome | Outcome[]> {
  try {
    return (await Promise.race([work, late])) ?? warning('The check timed out.', 'Try again.');
  } catch (error) {
    return problem(`The check failed: ${messageOf(error)}`, 'Try again; if it persists, please report it.');
  }
}
