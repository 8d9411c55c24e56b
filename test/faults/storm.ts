import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type Ohmstead } from '#contract/client/connect.ts';
import { keyFromPem, makeKey } from '#contract/client/key.ts';
import { listSites } from '#contract/cloud/sites.ts';
import { systemClock } from '#lib/clock.ts';
import { enrolFleet, openFleetState } from '#sim/fleet/enrol.ts';
import { type Fleet, startFleet } from '#sim/fleet/fleet.ts';
import { checkLedger, createLedger, type Verdict } from '#sim/fleet/ledger.ts';
import { freePort } from '../free-port.ts';
import { waitedForProcessorMs } from '../waited-for-processor.ts';
import { type Platform, startPlatform } from './platform.ts';
import type { Planted } from './victims.ts';

export type Storm = {
  gateways: number;
  /** all are back this long after the platform */
  backMs: number;
  /** of a request meanwhile */
  answerP99Ms: number;
  /** the same without the time that a process waited for the processor */
  ownAnswerP99Ms: number;
  verdict: Verdict;
};

const unlimited = '1000000000';
const reportEveryS = 10;
const patienceMs = 120_000;
const pauseMs = 20;

/** Kills a platform with all of its gateways connected, and measures how they reconnect to the next one. */
export async function storm(gateways: number, planted?: Planted): Promise<Storm> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'ohmstead-storm-'));
  const [cloudPort, mqttPort] = [await freePort(), await freePort()];
  const env = {
    DATA_DIR: join(folder.path, 'cloud'),
    CLOUD_PORT: String(cloudPort),
    MQTT_PORT: String(mqttPort),
    RATE_ORDINARY: unlimited,
    RATE_CLAIM: unlimited,
    ...(planted && { PLANTED: planted }),
  };
  let platform: Platform = await startPlatform(env);
  let fleet: Fleet | undefined;
  try {
    const { pem } = await makeKey();
    const api = await connect(platform.url, { key: await keyFromPem(pem), retries: 8 });
    const state = await openFleetState(join(folder.path, 'fleet'), platform.url, gateways);
    const { signal } = new AbortController();
    const enrolment = { api, state, save: async () => {}, gateways, devices: 1, clock: systemClock, signal };
    await enrolFleet({ ...enrolment, onProgress: () => {} });

    const ledger = createLedger();
    fleet = startFleet({
      gateways: state.gateways,
      devices: 1,
      mqttUrl: `mqtt://127.0.0.1:${mqttPort}`,
      perSecond: gateways / reportEveryS,
      dropsPerMinute: 0,
      ledger,
      clock: systemClock,
    });
    await untilConnected(fleet, gateways);
    await platform.kill();
    await untilConnected(fleet, 0);
    platform = await startPlatform(env);
    const began = performance.now();
    const asking = askSteadily(api, platform.pid);
    await untilConnected(fleet, gateways);
    const backMs = performance.now() - began;
    const { p99Ms: answerP99Ms, ownP99Ms: ownAnswerP99Ms } = await asking.end();
    await fleet.waitForAcknowledgements(AbortSignal.timeout(patienceMs));
    const verdict = await checkLedger(api, ledger);
    return { gateways, backMs: Math.round(backMs), answerP99Ms, ownAnswerP99Ms, verdict };
  } finally {
    fleet?.close();
    await platform.kill();
  }
}

async function untilConnected(fleet: Fleet, count: number): Promise<void> {
  const end = performance.now() + patienceMs;
  for (let connected = fleet.figures().connected; connected !== count; { connected } = fleet.figures()) {
    if (performance.now() > end) throw new Error(`${connected} of ${count} gateways are connected.`);
    await sleep(pauseMs);
  }
}

function askSteadily(api: Ohmstead, pid: number): { end(): Promise<{ p99Ms: number; ownP99Ms: number }> } {
  const tookMs: number[] = [];
  const ownMs: number[] = [];
  const state = { isOver: false };
  const asking = (async () => {
    do {
      const [began, waitedBefore] = [performance.now(), waitedMs(pid)];
      await api.call(listSites, { query: { limit: 10 } });
      const ms = performance.now() - began;
      tookMs.push(ms);
      ownMs.push(Math.max(0, ms - (waitedMs(pid) - waitedBefore)));
      await sleep(pauseMs);
    } while (!state.isOver || tookMs.length < 20);
  })();
  return {
    async end() {
      state.isOver = true;
      await asking;
      return { p99Ms: p99Of(tookMs), ownP99Ms: p99Of(ownMs) };
    },
  };
}

/** Adds the platform's and this process's waiting time, because a request passes through both. */
const waitedMs = (pid: number): number => waitedForProcessorMs(pid) + waitedForProcessorMs(process.pid);

const p99Of = (values: number[]): number =>
  Math.round(values.toSorted((one, other) => one - other)[Math.floor(values.length * 0.99)]!);
