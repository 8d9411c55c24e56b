import { type DerValues, derKinds, type Values } from '#contract/gateway/reading.ts';
import { boundsOf, type FieldName, fieldIndices } from '#contract/telemetry.ts';
import { ambibox } from '../ambibox.ts';
import { ferroamp } from '../ferroamp.ts';
import { ferroampDc2 } from '../ferroamp-dc2.ts';
import type { MqttListener, MqttProfile } from '../profile.ts';
import { createMutator, type Mutator } from './fuzz-mqtt-messages.ts';

type FuzzOptions = { seed: number; cases: number; profiles?: readonly MqttProfile[] };
type FuzzResult = { cases: number; readings: number; wrong: string[]; slowestMs: number };

export const mqttProfiles: readonly MqttProfile[] = [ferroamp, ferroampDc2, ambibox];
const mostReported = 20;
const messagesPerListener = 300;
/** CPU time, which is independent of the load of the machine. */
const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};
const statuses = ['idle', 'available', 'preparing', 'charging', 'discharging', 'suspended', 'error'];

/** Feeds damaged messages to the listeners and checks their readings. The same seed gives the same messages. */
export function fuzzMqtt({ seed, cases, profiles = mqttProfiles }: FuzzOptions): FuzzResult {
  const result: FuzzResult = { cases: 0, readings: 0, wrong: [], slowestMs: 0 };
  const mutator = createMutator(seed);
  while (result.cases < cases) {
    for (const profile of profiles) {
      const count = Math.min(messagesPerListener, cases - result.cases);
      listenFor(count, profile, mutator, result);
      result.cases += count;
    }
  }
  return result;
}

function listenFor(count: number, profile: MqttProfile, mutator: Mutator, result: FuzzResult): void {
  const listener = profile.listen();
  let now = 1_750_000_000_000;
  let lastLive = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < count; i++) {
    now += mutator.pauseMs();
    const message = { ...mutator.message(profile.profile), at: now };
    if (!message.isRetained) lastLive = now;
    const began = cpuMs();
    let faults: string[];
    try {
      listener.handle(message);
      const read = listener.read(now);
      if (read) result.readings++;
      faults = faultsOf(listener, read, now);
      if (read && now - lastLive > profile.staleAfterMs) faults.push('a reading without a fresh message');
    } catch (error) {
      faults = [`threw ${String(error)}`];
    }
    result.slowestMs = Math.max(result.slowestMs, cpuMs() - began);
    for (const fault of faults) {
      const payload = new TextDecoder().decode(message.payload).slice(0, 200);
      if (result.wrong.length < mostReported) result.wrong.push(`${fault} after ${message.topic} ${payload}`);
    }
  }
}

function faultsOf(listener: MqttListener, read: DerValues | undefined, now: number): string[] {
  const faults: string[] = [];
  for (const kind of derKinds) {
    const values = read?.[kind];
    const at = listener.at(kind, now);
    if (values) faults.push(...faultsIn(values).map((fault) => `${kind}: ${fault}`));
    if (values && (at === undefined || at > now)) faults.push(`${kind} of ${at} at ${now}`);
    if (!values && at !== undefined) faults.push(`${kind} has a time without values`);
  }
  const serial = listener.serial();
  if (serial !== undefined && !/^[A-Za-z0-9_-]{1,64}$/.test(serial)) faults.push(`serial number ${serial}`);
  for (const [name, value] of Object.entries(listener.rated())) {
    if (!(value > 0 && value <= boundsOf(name === 'capacity_Wh' ? name : 'rated_power_W').max))
      faults.push(`${name} ${value}`);
  }
  return faults;
}

function faultsIn({ status, lower_limit_W, upper_limit_W, ...numbers }: Values): string[] {
  const faults: string[] = [];
  if (numbers.W === undefined) faults.push('no power');
  if (status !== undefined && !statuses.includes(status)) faults.push(`status ${status}`);
  for (const [name, value] of Object.entries(numbers)) {
    if (fieldIndices([name as FieldName])[0] === undefined) faults.push(`field ${name}`);
    if (!isWithin(name, value)) faults.push(`${name} ${value}`);
  }
  for (const limits of [lower_limit_W, upper_limit_W]) {
    if (limits && !(limits.length === 3 && limits.every((limit) => isWithin('W', limit))))
      faults.push(`limits ${limits.join(' ')}`);
  }
  return faults;
}

const isWithin = (name: string, value: number): boolean =>
  Number.isFinite(value) && !Object.is(value, -0) && value >= boundsOf(name).min && value <= boundsOf(name).max;
