import { stateTopic } from '#contract/topics.ts';
import type { BrokerSession } from '../links/mqtt/broker-connection.ts';
import { sayGoodbye } from '../links/mqtt/broker-session.ts';

export type DeviceState = { sn: string; connected: boolean; ders: string[]; error?: string };

type StateDeps = {
  serial: string;
  version: string;
  platform: string;
  devices(): DeviceState[];
  /** ms; undefined while the clock is implausible */
  now(): number | undefined;
};

const repeatMs = 15_000;

/** Publishes the state of the gateway every 15 s, at every change and before it disconnects. */
export function createStateReport({ serial, version, platform, devices, now }: StateDeps) {
  const topic = stateTopic(serial);
  let session: BrokerSession | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isDue = false;

  const text = (online: boolean): string =>
    JSON.stringify({ serial, version, platform, online, devices: devices(), timestamp: now() });

  function send(): void {
    isDue = false;
    session?.publish(topic, text(true), 1);
  }

  return {
    /** Returns the last will, which the broker publishes when the connection is lost. */
    will: () => ({ topic, payload: text(false) }),
    connected(opened: BrokerSession): void {
      session = opened;
      timer = setInterval(send, repeatMs);
      send();
    },
    disconnected(): void {
      session = undefined;
      clearInterval(timer);
    },
    /** Publishes once for all changes of the same tick. */
    changed(): void {
      if (!isDue) setImmediate(send);
      isDue = true;
    },
    /** Publishes the offline state. */
    async goodbye(): Promise<void> {
      if (session) await sayGoodbye(session, topic, text(false));
    },
  };
}
