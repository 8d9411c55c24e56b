import { once } from 'node:events';
import { connect as connectSocket } from 'node:net';
import { join, resolve } from 'node:path';
import { connect, type Ohmstead } from '#contract/client/connect.ts';
import { Problem } from '#contract/problem.ts';
import { minuteMs } from '#contract/time.ts';
import { systemClock } from '#lib/clock.ts';
import type { FleetState } from '#sim/fleet/enrol.ts';
import type { Figures } from '#sim/fleet/fleet.ts';
import { isClean, type Ledger } from '#sim/fleet/ledger.ts';
import { type Option, type OptionValues, type Shell, UsageError } from '../line/command.ts';
import { withTimeout } from '../line/interrupt.ts';
import { defaultedNumber, numberOption } from '../line/quantity.ts';
import { report } from '../line/report.ts';
import { openKey } from '../sign-in/own-key.ts';
import { cloudUrl, configFolder, createPlatformFetch, normalizePlatformUrl } from '../sign-in/sign-ins.ts';
import { columns } from '../terminal/output.ts';
import { createProgress } from '../terminal/screen.ts';

const retries = 8; // the platform may restart or limit the rate during a run
const settleTimeoutMs = 60_000;
const redrawMs = 1000;
const connectTimeoutMs = 5000;
const defaultIntervalS = 10;
const maxMinutes = 30_000; // limit of a timer

const upTo = (max: number) => ({ min: 1, max, isWhole: true });

const fleetOptions = {
  gateways: defaultedNumber('NUMBER', 'number of gateways; new ones are claimed and saved', 10, upTo(100_000)),
  devices: defaultedNumber('NUMBER', 'meters per gateway', 1, upTo(64)),
  rate: numberOption('NUMBER', 'total readings per second. Default: one per meter every 10 s', {
    min: 0.01,
    max: 100_000,
  }),
  minutes: numberOption('NUMBER', 'duration. Default: until Ctrl-C', { min: 0.01, max: maxMinutes }),
  drops: defaultedNumber('NUMBER', 'connections to cut per minute, to test reconnecting', 0, { min: 0, max: 60_000 }),
  url: { value: 'URL', help: 'address of the platform. Default: that of ohmstead login' },
  mqtt: { value: 'URL', help: 'address of its broker. Default: port 1883 of the same host' },
  key: { value: 'FILE', help: 'private key of the owner of the fleet, instead of your own' },
  state: { value: 'DIR', help: 'folder where the gateways are saved. Default: fleet in your configuration folder' },
  ledger: { value: 'FILE', help: 'write every sent and acknowledged reading to this file, one line of JSON each' },
} as const satisfies Record<string, Option>;

export const fleet = report('sim fleet', {
  summary: 'Simulate many gateways against a running platform and check that no reading is lost',
  options: fleetOptions,
  examples: [
    'sim fleet',
    'sim fleet --gateways 1000 --rate 200 --minutes 20 --ledger ledger.jsonl',
    'sim fleet --url https://energy.example.org --mqtt mqtts://energy.example.org --key fleet.pem --json',
  ],
  async run({ options }, shell) {
    const interrupted = shell.untilInterrupted();
    const url = options.url === undefined ? await cloudUrl(shell) : normalizePlatformUrl(options.url);
    const mqttUrl = await brokerUrl(options.mqtt, url);
    const api = await signIn(url, options.key, shell);
    const folder = options.state === undefined ? join(configFolder(shell), 'fleet') : resolve(options.state);
    const state = await enrol({ api, folder, options, interrupted }, shell);
    if (!state) return;
    const outcome = await runFleet({ api, state, mqttUrl, options, interrupted }, shell);
    if (!isLossless(outcome)) shell.exitCode = 1;
    return { result: outcome, text: summaryOf(outcome) };
  },
});

async function signIn(url: string, keyFile: string | undefined, shell: Shell): Promise<Ohmstead> {
  const { key } = await openKey(keyFile, shell);
  const reach = { key, fetch: createPlatformFetch(url) };
  const first = await connect(url, { ...reach, retries: 0 }); // report a wrong address at once
  return connect(url, { ...reach, token: await first.token(), retries });
}

/** Returns the address of the broker after checking that it accepts connections. */
async function brokerUrl(given: string | undefined, platform: string): Promise<string> {
  const url = URL.parse(given ?? `mqtt://${new URL(platform).hostname}:1883`);
  if (!url || !/^mqtts?:$/.test(url.protocol) || !url.hostname) {
    throw new UsageError(`"${given}" is not a valid broker address. Example: mqtt://localhost:1883`);
  }
  const port = Number(url.port || (url.protocol === 'mqtts:' ? 8883 : 1883));
  const socket = connectSocket({ host: url.hostname, port });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(connectTimeoutMs) });
  } catch (cause) {
    const sentence = `Cannot reach a broker at ${url.href}; give its address with --mqtt.`;
    throw new Problem('unavailable', sentence, {}, { cause });
  } finally {
    socket.destroy();
  }
  return url.href;
}

type FleetOptions = Pick<
  OptionValues<typeof fleetOptions>,
  'gateways' | 'devices' | 'rate' | 'minutes' | 'drops' | 'ledger'
>;

type Enrolment = { api: Ohmstead; folder: string; options: FleetOptions; interrupted: AbortSignal };

/** Claims the gateways of the fleet; undefined if interrupted. */
async function enrol({ api, folder, options, interrupted }: Enrolment, shell: Shell): Promise<FleetState | undefined> {
  const { gateways, devices } = options;
  const { enrolFleet, openFleetState, saveFleetState } = await import('#sim/fleet/enrol.ts'); // loaded only when the command runs
  const state = await openFleetState(folder, api.url, gateways);
  using progress = createProgress(shell, 'Claiming');
  try {
    const save = (): Promise<void> => saveFleetState(folder, api.url, state);
    const fleet = { api, state, save, gateways, devices, clock: systemClock };
    await enrolFleet({ ...fleet, signal: interrupted, onProgress: progress.show });
    return state;
  } catch (error) {
    if (!interrupted.aborted) throw error;
    shell.stderr.write(`Interrupted; the gateways claimed so far are saved in ${folder}.\n`);
    shell.exitCode = 130;
    return undefined;
  }
}

type FleetRun = Omit<Enrolment, 'folder'> & { state: FleetState; mqttUrl: string };

async function runFleet({ api, state, mqttUrl, options, interrupted }: FleetRun, { stderr }: Shell) {
  const { devices, minutes, drops: dropsPerMinute } = options;
  const { checkLedger, createLedger, logLedger } = await import('#sim/fleet/ledger.ts');
  const { startFleet } = await import('#sim/fleet/fleet.ts');
  const kept = options.ledger === undefined ? undefined : logLedger(createLedger(), options.ledger);
  const ledger: Ledger = kept?.ledger ?? createLedger();
  const gateways = state.gateways.slice(0, options.gateways);
  const perSecond = options.rate ?? (gateways.length * devices) / defaultIntervalS;
  const began = performance.now();
  const running = startFleet({ gateways, devices, mqttUrl, perSecond, dropsPerMinute, ledger, clock: systemClock });
  const line = (): string => progressLine(running.figures(), gateways.length, (performance.now() - began) / 1000);
  const showing = stderr.isTTY ? setInterval(() => stderr.write(`\r\x1b[K${line()}`), redrawMs) : undefined;
  const signal = withTimeout(interrupted, minutes && minutes * minuteMs);
  try {
    if (!signal.aborted) await once(signal, 'abort');
    const seconds = (performance.now() - began) / 1000;
    await running.waitForAcknowledgements(AbortSignal.timeout(settleTimeoutMs));
    const { sent, waiting, all } = running.figures();
    await kept?.close();
    const verdict = await checkLedger(api, ledger);
    const delays = { p50_ms: all.p50Ms, p99_ms: all.p99Ms }; // from a reading to its acknowledgement
    return { gateways: gateways.length, devices, seconds, sent, unacknowledged: waiting, ...verdict, ...delays };
  } finally {
    running.close();
    clearInterval(showing);
    if (showing) stderr.write('\n');
  }
}

export type FleetResult = Awaited<ReturnType<typeof runFleet>>;

/** Returns whether every reading was acknowledged and stored exactly once. */
const isLossless = (outcome: FleetResult): boolean => outcome.unacknowledged === 0 && isClean(outcome);

function progressLine(figures: Figures, gateways: number, seconds: number): string {
  const { sent, acknowledged, waiting, connected, recent } = figures;
  const time = `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
  return (
    `${time}  connected ${connected} of ${gateways}  sent ${sent}  acknowledged ${acknowledged}  waiting ${waiting}  ` +
    `p50 ${ms(recent.p50Ms)}  p99 ${ms(recent.p99Ms)}`
  );
}

function summaryOf(outcome: FleetResult): string {
  const { gateways, devices, seconds, sent, acknowledged, unacknowledged, p50_ms, p99_ms } = outcome;
  const rows = [
    ['gateways', String(gateways)],
    ['meters', String(gateways * devices)],
    ['time', `${Math.round(seconds)} s`],
    ['sent', `${sent} (${(sent / seconds).toFixed(1)} per second)`],
    ['acknowledged', `${acknowledged} (median ${ms(p50_ms)}, p99 ${ms(p99_ms)})`],
    ['stored', String(outcome.stored)],
    ['lost', String(outcome.lost)],
    ['twice', String(outcome.twice)],
    ['phantom', String(outcome.phantom)],
    ['out of order', String(outcome.reordered)],
  ];
  const end = isLossless(outcome)
    ? 'Every acknowledged reading is in the history exactly once.'
    : `Failed: ${unacknowledged} not acknowledged, ${outcome.lost} lost, ${outcome.twice} stored twice, ${outcome.phantom} never sent, ${outcome.reordered} out of order.`;
  return `${columns(rows)}\n\n${end}`;
}

const ms = (value: number): string => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
