import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { connect, type Ohmstead } from '#contract/client/connect.ts';
import { minuteMs } from '#contract/time.ts';
import { systemClock } from '#lib/clock.ts';
import type { FleetState } from '#sim/fleet/fleet-state.ts';
import type { Ledger } from '#sim/fleet/ledger.ts';
import { command, type Shell } from '../line/command.ts';
import { orAfter } from '../line/interrupt.ts';
import { configFolder } from '../sign-in/config-folder.ts';
import { ownKeyFile, readKey, readOrMakeKey } from '../sign-in/key-of-person.ts';
import { cloudUrl, fetchFromPlatform, platformUrl } from '../sign-in/platform-address.ts';
import { jsonOption, printResult } from '../terminal/output.ts';
import { createProgress } from '../terminal/progress.ts';
import { brokerUrl, type FleetOrder, orderOf } from './sim-fleet-order.ts';
import { isGood, type Outcome, progressLine, summaryOf } from './sim-fleet-words.ts';

const retries = 8; // a platform that is away is waited for, and one that asks for patience gets it
const settleMs = 60_000;
const showMs = 1000;

export const fleet = command({
  name: 'sim fleet',
  summary: 'Play many gateways against a running platform, and prove that it lost nothing',
  options: {
    gateways: { value: 'NUMBER', says: 'how many gateways; new ones are claimed and remembered. Default 10' },
    devices: { value: 'NUMBER', says: 'meters of each gateway. Default 1' },
    rate: { value: 'NUMBER', says: 'readings a second of all together. Default one of each meter every 10 s' },
    minutes: { value: 'NUMBER', says: 'how long. Default until Ctrl-C' },
    drops: { value: 'NUMBER', says: 'connections a minute that are cut, to see them come back. Default 0' },
    url: { value: 'URL', says: 'address of the platform. Default that of ohmstead login' },
    mqtt: { value: 'URL', says: 'address of its broker. Default port 1883 of the same host' },
    key: { value: 'FILE', says: 'private key of who owns the fleet, instead of your own' },
    state: { value: 'DIR', says: 'where the gateways are remembered. Default fleet in your configuration folder' },
    ledger: { value: 'FILE', says: 'write what was meant and what was acknowledged, a line of JSON each' },
    json: jsonOption,
  },
  examples: [
    'sim fleet',
    'sim fleet --gateways 1000 --rate 200 --minutes 20 --ledger ledger.jsonl',
    'sim fleet --url https://energy.example.org --mqtt mqtts://energy.example.org --key fleet.pem --json',
  ],
  async run({ options }, shell) {
    const order = orderOf(options);
    const interrupted = shell.untilInterrupted();
    const url = options.url === undefined ? await cloudUrl(shell) : platformUrl(options.url);
    const mqttUrl = await brokerUrl(options.mqtt, url);
    const api = await signIn(url, options.key, shell);
    const folder = options.state === undefined ? join(configFolder(shell), 'fleet') : resolve(options.state);
    const state = await enrol({ api, folder, order, interrupted }, shell);
    if (!state) return;
    const outcome = await play({ api, state, mqttUrl, order, ledgerFile: options.ledger, interrupted }, shell);
    printResult(shell, options.json, outcome, summaryOf(outcome));
    if (!isGood(outcome)) shell.exitCode = 1;
  },
});

async function signIn(url: string, keyFile: string | undefined, shell: Shell): Promise<Ohmstead> {
  const key =
    keyFile === undefined
      ? (await readOrMakeKey(ownKeyFile(shell), shell)).key
      : await readKey(resolve(keyFile), shell);
  const reach = { key, fetch: fetchFromPlatform(url) };
  const first = await connect(url, { ...reach, retries: 0 }); // somebody waits to see whether the address is right
  return connect(url, { ...reach, token: await first.token(), retries });
}

type Enrolling = { api: Ohmstead; folder: string; order: FleetOrder; interrupted: AbortSignal };

/** Undefined when it was interrupted. */
async function enrol({ api, folder, order, interrupted }: Enrolling, shell: Shell): Promise<FleetState | undefined> {
  const { openFleetState, saveFleetState } = await import('#sim/fleet/fleet-state.ts'); // here, so that --help does not wait
  const { enrolFleet } = await import('#sim/fleet/enrol.ts');
  const state = await openFleetState(folder, api.url, order.gateways);
  const progress = createProgress(shell, 'Claiming');
  try {
    const save = (): Promise<void> => saveFleetState(folder, api.url, state);
    const { gateways, devices } = order;
    await enrolFleet({
      api,
      state,
      save,
      gateways,
      devices,
      clock: systemClock,
      signal: interrupted,
      show: progress.show,
    });
    return state;
  } catch (error) {
    if (!interrupted.aborted) throw error;
    shell.stderr.write(`Interrupted; the gateways that were claimed so far are remembered in ${folder}.\n`);
    shell.exitCode = 130;
    return undefined;
  } finally {
    progress.end();
  }
}

type Playing = {
  api: Ohmstead;
  state: FleetState;
  mqttUrl: string;
  order: FleetOrder;
  ledgerFile: string | undefined;
  interrupted: AbortSignal;
};

async function play(playing: Playing, { stderr }: Shell): Promise<Outcome> {
  const { api, state, mqttUrl, order, ledgerFile, interrupted } = playing;
  const { createLedger } = await import('#sim/fleet/ledger.ts');
  const { keepLedger } = await import('#sim/fleet/ledger-file.ts');
  const { startFleet } = await import('#sim/fleet/fleet.ts');
  const { checkLedger } = await import('#sim/fleet/stored.ts');
  const kept = ledgerFile === undefined ? undefined : keepLedger(createLedger(), ledgerFile);
  const ledger: Ledger = kept?.ledger ?? createLedger();
  const { perSecond, dropsPerMinute, devices } = order;
  const gateways = state.gateways.slice(0, order.gateways);
  const began = performance.now();
  const running = startFleet({ gateways, devices, mqttUrl, perSecond, dropsPerMinute, ledger, clock: systemClock });
  const line = (): string => progressLine(running.look(), gateways.length, (performance.now() - began) / 1000);
  const showing = stderr.isTTY ? setInterval(() => stderr.write(`\r\x1b[K${line()}`), showMs) : undefined;
  const signal = orAfter(interrupted, order.minutes && order.minutes * minuteMs);
  try {
    if (!signal.aborted) await once(signal, 'abort');
    const seconds = (performance.now() - began) / 1000;
    await running.settle(AbortSignal.timeout(settleMs));
    const { sent, waiting, all } = running.look();
    await kept?.close();
    const verdict = await checkLedger(api, ledger);
    const delays = { p50_ms: all.p50Ms, p99_ms: all.p99Ms };
    return { gateways: gateways.length, devices, seconds, sent, unacknowledged: waiting, ...verdict, ...delays };
  } finally {
    running.close();
    clearInterval(showing);
    if (showing) stderr.write('\n');
  }
}
