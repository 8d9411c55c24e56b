import type { Clock } from '#lib/clock.ts';
import { deliver } from '../deliver.ts';
import { createFaults, type Faults } from '../faults.ts';
import type { HouseState } from '../house/state.ts';
import type { House } from '../house.ts';
import type { Address } from '../listen.ts';
import { type Broker, type Login, startBroker } from './broker.ts';

export type PlayerOptions = Address & { house: House; clock: Clock; paceMs?: number };

export type Message = { topic: string; payload: string; retain?: boolean };

export type MqttPlayer = {
  host: string;
  port: number;
  login?: Login;
  faults: Faults;
  mode(): 'self-consumption' | 'forced';
  close(): Promise<void>;
};

type Script = {
  login?: Login;
  /** What the device tells about the moment, the `count`th time. */
  tell(state: HouseState, count: number): Message[];
  /** What it answers to a command; nothing when the message is not for it. */
  obey(topic: string, payload: string, isRefused: boolean): Message[];
  mode(): 'self-consumption' | 'forced';
};

/** A device that brings its own broker, tells about itself every second and listens for commands. */
export async function startMqttPlayer(
  { house, clock, paceMs = 1000, ...address }: PlayerOptions,
  { login, tell, obey, mode }: Script,
): Promise<MqttPlayer> {
  const faults = createFaults(clock, [
    'silence',
    'late',
    'exception',
    'cut-frame',
    'bit-flip',
    'garbage',
    'close',
    'flood',
  ]);
  const send = ({ topic, payload, retain = false }: Message, fault: ReturnType<Faults['next']>): void => {
    const write = (bytes: Buffer): void => broker.publish(topic, bytes, { retain });
    void deliver(Buffer.from(payload), fault, { write, close: broker.hangUp });
  };
  const broker: Broker = await startBroker({
    ...address,
    ...(login && { login }),
    receive(topic, payload) {
      const fault = faults.next();
      for (const message of obey(topic, payload, fault?.kind === 'exception')) send(message, fault);
    },
  });
  let count = 0;
  const timer = setInterval(() => {
    const fault = faults.next();
    for (const message of tell(house.at(clock.now()), count)) send(message, fault);
    count += 1;
  }, paceMs);
  return {
    host: broker.host,
    port: broker.port,
    ...(login && { login }),
    faults,
    mode,
    async close() {
      clearInterval(timer);
      await broker.close();
    },
  };
}
