import { mkdtempDisposable, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandTopic } from '#contract/topics.ts';
import { systemClock as clock } from '#lib/clock.ts';
import type { FaultKind } from '#sim/faults.ts';
import { sungrowHybrid } from '#sim/modbus/banks/sungrow.ts';
import { startBroker } from '#sim/mqtt/broker.ts';
import { testEnvironment } from '../test-environment.ts';
import { type ControlGateway, startControlGateway } from './control-gateway.ts';
import { startInverter } from './control-inverter.ts';

export const trials = [
  'silence after the command',
  'gateway killed',
  'gateway paused for good',
  'gateway paused for a while',
  'watchdog killed',
  'watchdog paused',
  'gateway and watchdog killed, gateway started again',
  'watchdog killed, then the gateway',
  'broker cut',
  'device faulty',
  'device faulty, gateway killed',
  'gateway stopped',
  'plan: gateway killed',
  'plan: gateway paused for good',
  'plan: gateway and watchdog killed, gateway started again',
  'plan: gateway stopped',
] as const;
export type Trial = (typeof trials)[number];

export type Outcome = {
  trial: Trial;
  /** after the end of the lease, or of the device fault if later; negative when earlier */
  backAfterMs: number | undefined;
  /** setpoints that were seen and must not be */
  forbidden: number[];
  /** whether the command that should be applied was */
  isApplied: boolean;
};

const serial = 'ohm-0011223344556677';
const deviceFaults: FaultKind[] = [
  'silence',
  'exception',
  'close',
  'garbage',
  'late',
  'wrong-transaction',
  'cut-frame',
];
const patienceMs = 15_000;
const powerRegister = 13_051;

const between = (least: number, most: number): number => least + Math.random() * (most - least);

/** One run with one fault while the gateway follows a plan. The gateway that is started again has none. */
async function runPlanTrial(trial: Trial, planted?: 'no-watchdog'): Promise<Outcome> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'ohmstead-control-'));
  await symlink(testEnvironment.NODE_COMPILE_CACHE, join(folder.path, 'cache'));
  const inverter = await startInverter(sungrowHybrid('SIM1'));
  const broker = await startBroker({ port: 0, receive() {} });
  const common = {
    dataDir: folder.path,
    serial,
    connection: inverter.connection,
    broker: `mqtt://${broker.host}:${broker.port}`,
    ...(planted && { planted }),
  };
  const leaseMs = between(2000, 4000);
  const power_w = Math.round(between(500, 2500)) * (Math.random() < 0.5 ? -1 : 1);
  const gateways: ControlGateway[] = [];
  try {
    const gateway = await startControlGateway({ ...common, plan: { power_w, leaseMs } });
    gateways.push(gateway);
    const isForced = (): boolean => inverter.device.mode() === 'forced';
    const patienceEnd = clock.now() + patienceMs;
    while (!isForced() && clock.now() < patienceEnd) await sleep(5);
    await sleep(between(0, 3 * leaseMs)); // the lease is extended meanwhile
    const isApplied = isForced() && Math.abs(inverter.device.setting(powerRegister) - Math.abs(power_w)) <= 10;
    const isStopped = trial.endsWith('stopped');
    if (trial.includes('and watchdog')) gateway.signal('watchdog', 'SIGKILL');
    gateway.signal('gateway', isStopped ? 'SIGTERM' : trial.includes('paused') ? 'SIGSTOP' : 'SIGKILL');
    const due = clock.now() + (isStopped ? 0 : leaseMs);
    if (trial.endsWith('started again')) {
      await gateway.ended;
      await sleep(between(0, 1000));
      gateways.push(await startControlGateway(common));
    }
    while (isForced() && clock.now() < due + patienceMs) await sleep(5);
    const back = isForced() ? undefined : clock.now();
    await sleep(1500); // and it stays so
    return {
      trial,
      backAfterMs: back === undefined || isForced() ? undefined : Math.round(back - due),
      forbidden: [],
      isApplied,
    };
  } finally {
    for (const gateway of gateways) {
      gateway.signal('gateway', 'SIGKILL');
      await gateway.ended;
    }
    await broker.close();
    await sleep(500); // for the watchdog, which has nothing left to do
    await inverter.close();
  }
}

/** One control run with one fault. */
export async function runTrial(trial: Trial, planted?: 'no-watchdog'): Promise<Outcome> {
  if (trial.startsWith('plan: ')) return runPlanTrial(trial, planted);
  await using folder = await mkdtempDisposable(join(tmpdir(), 'ohmstead-control-'));
  await symlink(testEnvironment.NODE_COMPILE_CACHE, join(folder.path, 'cache'));
  const inverter = await startInverter(sungrowHybrid('SIM1'));
  const applied = new Set<string>();
  const broker = await startBroker({
    port: 0,
    receive(_, payload) {
      const { command_id, status } = JSON.parse(payload) as { command_id: string; status: string };
      if (status === 'applied') applied.add(command_id);
    },
  });
  const seen = new Set<number>();
  const look = setInterval(() => seen.add(inverter.device.setting(powerRegister)), 10);
  const start = () =>
    startControlGateway({
      dataDir: folder.path,
      serial,
      connection: inverter.connection,
      broker: `mqtt://${broker.host}:${broker.port}`,
      ...(planted && { planted }),
    });
  const gateways: ControlGateway[] = [];
  try {
    // A retained message from before is the first that a gateway receives.
    const forbidden = 4000;
    const topic = commandTopic(serial, 'battery', 'SIM1');
    const send = (
      power_w: number,
      ttl_s: number,
      ageMs = 0,
      id: string = crypto.randomUUID(),
      retain = false,
    ): string => {
      const command = { power_w, ttl_s, command_id: id, timestamp: clock.now() - ageMs };
      broker.publish(topic, JSON.stringify(command), { retain });
      return id;
    };
    send(forbidden + 1, 600, 0, 'retained', true);
    let gateway = await start();
    gateways.push(gateway);

    const ttl_s = between(3, 5);
    const leaseEnd = clock.now() + ttl_s * 1000;
    const power_w = Math.round(between(500, 2500)) * (Math.random() < 0.5 ? -1 : 1);
    const id = send(power_w, ttl_s);
    while (!applied.has(id) && clock.now() < leaseEnd) await sleep(5);
    // Expired, older than the newest, and the same again with another power.
    send(forbidden + 2, 60, 61_000);
    send(forbidden + 3, 60, 5000);
    send(forbidden + 4, 60, 0, id);
    await sleep(between(0, Math.max(0, leaseEnd - clock.now() - 200)));

    let due = leaseEnd;
    const faultMs = between(500, 3000);
    if (trial.startsWith('device faulty')) {
      const kind = deviceFaults[Math.floor(Math.random() * deviceFaults.length)]!;
      inverter.device.faults.set(kind, { forMs: faultMs, ms: 1500 });
      due = Math.max(leaseEnd, clock.now() + faultMs);
    }
    if (trial === 'watchdog paused') gateway.signal('watchdog', 'SIGSTOP');
    if (trial.startsWith('watchdog killed') || trial.includes('and watchdog')) gateway.signal('watchdog', 'SIGKILL');
    if (trial === 'watchdog killed, then the gateway') await gateway.watchedAgain();
    if (/gateway (and watchdog )?killed|then the gateway/.test(trial)) gateway.signal('gateway', 'SIGKILL');
    if (trial.startsWith('gateway paused')) gateway.signal('gateway', 'SIGSTOP');
    if (trial === 'gateway stopped') gateway.signal('gateway', 'SIGTERM');
    if (trial === 'gateway paused for a while') {
      await sleep(between(500, 4000));
      gateway.signal('gateway', 'SIGCONT');
    }
    if (trial === 'broker cut') broker.closeConnections();
    if (trial.endsWith('started again')) {
      await gateway.ended;
      await sleep(between(0, 1000));
      gateway = await start();
      gateways.push(gateway);
    }

    while (inverter.device.mode() === 'forced' && clock.now() < due + patienceMs) await sleep(5);
    const back = inverter.device.mode() === 'self-consumption' ? clock.now() : undefined;
    await sleep(300); // and it stays so
    const isBack = back !== undefined && inverter.device.mode() === 'self-consumption';
    return {
      trial,
      backAfterMs: isBack ? Math.round(back - due) : undefined,
      forbidden: [...seen].filter((W) => W > forbidden && W < forbidden + 10),
      isApplied: applied.has(id) && [...seen].some((W) => Math.abs(W - Math.abs(power_w)) <= 10),
    };
  } finally {
    clearInterval(look);
    for (const gateway of gateways) {
      if (trial === 'watchdog paused') gateway.signal('watchdog', 'SIGKILL');
      gateway.signal('gateway', 'SIGKILL');
      await gateway.ended;
    }
    await broker.close();
    await sleep(500); // for the watchdog, which has nothing left to do
    await inverter.close();
  }
}

export const withinMs = 10_000;

const isOver = ({ backAfterMs, forbidden }: Outcome): boolean =>
  backAfterMs !== undefined && backAfterMs <= withinMs && forbidden.length === 0;

/** A device that was never controlled must not be reported. */
export const isGood = (outcome: Outcome): boolean => outcome.isApplied && isOver(outcome);

const mostTimes = 3; // on a busy machine a lease may end before its command is applied

async function runUntilApplied(trial: Trial, planted?: 'no-watchdog'): Promise<Outcome> {
  for (let times = 1; ; times++) {
    const outcome = await runTrial(trial, planted);
    if (outcome.isApplied || !isOver(outcome) || times === mostTimes) return outcome;
  }
}

/** Runs that many trials of each kind in turn, some of them in parallel. */
export async function runTrials(
  runs: number,
  beside: number,
  planted?: 'no-watchdog',
  only = trials as readonly Trial[],
) {
  const outcomes: Outcome[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < runs) outcomes.push(await runUntilApplied(only[next++ % only.length]!, planted));
  };
  await Promise.all(Array.from({ length: beside }, work));
  return outcomes;
}
