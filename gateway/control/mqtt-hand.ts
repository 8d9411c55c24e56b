import { randomUUID } from 'node:crypto';
import type { Clock } from '#lib/clock.ts';
import { LinkError } from '../links/link-error.ts';
import { type MqttLink, openMqttLink } from '../links/mqtt/link.ts';
import type { MqttMessage } from '../links/mqtt/message.ts';
import type { ControlMessage, Facts, MessageContext, MqttControl } from '../profiles/control/control-profile.ts';
import { type Hand, NotObeyed, releaseEach } from './hand.ts';
import type { Place } from './place.ts';

const answerMs = 3000;
const mostTopics = 200;

/** Controls a device by messages through its broker, and listens to what it says to them. */
export async function openMqttHand(
  control: MqttControl,
  { host, port, username, password }: Extract<Place, { kind: 'mqtt' }>,
  clock: Clock,
): Promise<Hand> {
  const listeners = new Set<(message: MqttMessage) => void>();
  const known: Record<string, number> = {};
  /** the last of each topic that was said while we listened */
  const current = new Map<string, MqttMessage>();
  let taking: readonly ControlMessage[] | undefined;
  const link: MqttLink = await openMqttLink({
    host,
    port,
    username,
    password,
    topics: control.subscribe,
    clock,
    onMessage(message) {
      Object.assign(known, control.learn?.(message));
      taking = control.acquire?.(message) ?? taking;
      const { topic, isRetained } = message;
      if (!isRetained && (current.size < mostTopics || current.has(topic))) current.set(topic, message);
      for (const listen of listeners) listen(message);
    },
    // What cannot be sent now fails, and that is told; what the device says meanwhile is missed.
    onState: (isConnected) => !isConnected && current.clear(),
    reconnectMs: 1000,
  });

  const moment: MessageContext = {
    get unixS() {
      return Math.floor(clock.now() / 1000);
    },
    transId: () => randomUUID(),
  };

  /** The first verdict on a message that is heard; undefined when none comes in time. */
  function hear(verdict: (message: MqttMessage) => boolean | undefined): Promise<boolean | undefined> {
    return new Promise((resolve) => {
      const end = (said: boolean | undefined): void => {
        clearTimeout(late);
        listeners.delete(listen);
        resolve(said);
      };
      const late = setTimeout(() => end(undefined), answerMs);
      const listen = (message: MqttMessage): void => {
        const said = verdict(message);
        if (said !== undefined) end(said);
      };
      listeners.add(listen);
    });
  }

  /** What is so already need not be said again. */
  function standing(verdict: (message: MqttMessage) => boolean | undefined): boolean | undefined {
    return [...current.values()].map(verdict).find((said) => said !== undefined);
  }

  async function run(steps: readonly ControlMessage[]): Promise<readonly number[]> {
    for (const { topic, payload, answer } of steps) {
      const heard = answer && hear(answer);
      await link.publish(topic, payload, { qos: 1 });
      if (!heard) continue;
      const said = (await heard) ?? standing(answer);
      if (said === false) throw new NotObeyed(`The device refuses ${payload}.`);
      if (said === undefined) throw new LinkError(`The device says nothing to ${payload}.`);
    }
    return [];
  }

  const isReady = (): boolean => (control.requiredFacts ?? []).every((name) => known[name] !== undefined);

  return {
    async learn() {
      if (!isReady()) await hear(() => (isReady() ? true : undefined));
      if (!isReady()) throw new LinkError('The device does not tell what it can do.');
      return { ...known };
    },
    async take() {
      if (!control.acquire) return [];
      if (!taking) await hear(() => (taking ? true : undefined));
      if (!taking) throw new LinkError('The device says nothing.');
      return run(taking);
    },
    set: (part, asked, facts: Facts) => run(control[part]!.set(asked, { ...facts, ...known }, moment)),
    async rehearse(part, asked, facts) {
      if (asked) control[part]!.set(asked, { ...facts, ...known }, moment);
      control[part]!.release(facts, moment);
    },
    release: (parts, facts, written) =>
      releaseEach(parts, written, async (part) => {
        await run(control[part]?.release(facts, moment) ?? []);
      }),
    close: () => link.close(),
  };
}
