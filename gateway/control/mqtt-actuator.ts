import { randomUUID } from 'node:crypto';
import type { Clock } from '#lib/clock.ts';
import { within } from '#lib/within.ts';
import type { DeviceAddress } from '../devices/resolve-address.ts';
import { LinkError } from '../links/link-error.ts';
import { type MqttMessage, openMqttLink } from '../links/mqtt/link.ts';
import type { ControlMessage, MessageContext, MqttControl } from '../profiles/control/control-profile.ts';
import { type Actuator, NotObeyed, releaseEach, sequenceOf } from './actuator.ts';

const answerMs = 3000;
const maxTopics = 200;

type Verdict = (message: MqttMessage) => boolean | undefined;

/** Controls a device by publishing to its broker and checking its replies. */
export async function openMqttActuator(
  control: MqttControl,
  { host, port, username, password }: Extract<DeviceAddress, { kind: 'mqtt' }>,
  clock: Clock,
): Promise<Actuator> {
  const listeners = new Set<(message: MqttMessage) => void>();
  const known: Record<string, number> = {};
  /** the last live message of each topic */
  const current = new Map<string, MqttMessage>();
  let takeSteps: readonly ControlMessage[] | undefined;
  let isLost = false;
  const link = await openMqttLink({
    host,
    port,
    username,
    password,
    topics: control.subscribe,
    clock,
    onMessage(message) {
      Object.assign(known, control.learn?.(message));
      takeSteps = control.acquire?.(message) ?? takeSteps;
      const { topic, isRetained } = message;
      if (!isRetained && (current.size < maxTopics || current.has(topic))) current.set(topic, message);
      for (const listen of listeners) listen(message);
    },
    onLost() {
      isLost = true;
    },
  });

  const moment: MessageContext = {
    get unixS() {
      return Math.floor(clock.now() / 1000);
    },
    transId: () => randomUUID(),
  };

  /** Returns the first verdict on a received message; undefined when none arrives in time. */
  function waitFor(verdict: Verdict): Promise<boolean | undefined> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const listen = (message: MqttMessage): void => {
      const result = verdict(message);
      if (result !== undefined) resolve(result);
    };
    listeners.add(listen);
    return within(answerMs, promise).finally(() => listeners.delete(listen));
  }

  /** Returns the verdict on the last known messages: a device does not repeat a state that has not changed. */
  function currentVerdict(verdict: Verdict): boolean | undefined {
    return [...current.values()].map(verdict).find((result) => result !== undefined);
  }

  async function run(steps: readonly ControlMessage[]): Promise<readonly number[]> {
    for (const { topic, payload, answer } of steps) {
      const reply = answer && waitFor(answer);
      await link.publish(topic, payload, { qos: 1 });
      if (!reply) continue;
      const result = (await reply) ?? currentVerdict(answer);
      if (result === false) throw new NotObeyed(`The device refused ${payload}.`);
      if (result === undefined) throw new LinkError(`The device did not reply to ${payload}.`);
    }
    return [];
  }

  const isReady = (): boolean => (control.requiredFacts ?? []).every((name) => known[name] !== undefined);

  /** Throws when the condition does not hold after the next messages. */
  async function waitUntil(condition: () => boolean, message: string): Promise<void> {
    if (!condition()) await waitFor(() => condition() || undefined);
    if (!condition()) throw new LinkError(message);
  }

  return {
    async learn() {
      await waitUntil(isReady, 'The device did not report its ratings.');
      return { ...known };
    },
    async take() {
      if (!control.acquire) return [];
      await waitUntil(() => takeSteps !== undefined, 'The device sends no messages.');
      return run(takeSteps ?? []);
    },
    set: async (part, setpoint, facts) => run(sequenceOf(control, part).set(setpoint, { ...facts, ...known }, moment)),
    async dryRun(part, setpoint, facts) {
      if (setpoint) sequenceOf(control, part).set(setpoint, { ...facts, ...known }, moment);
      sequenceOf(control, part).release(facts, moment);
    },
    release: (parts, facts, written) =>
      releaseEach(parts, written, async (part) => {
        await run(control[part]?.release(facts, moment) ?? []);
      }),
    close: link.close,
    get isLost() {
      return isLost;
    },
  };
}
