import type { Clock } from '#lib/clock.ts';
import { createFaults, deliver, type Faults, faultKinds } from '../faults.ts';
import type { HouseState } from '../house/state.ts';
import type { House } from '../house.ts';
import type { ListenAddress } from '../listen.ts';
import { type Broker, type Login, startBroker } from './broker.ts';

export type MqttDeviceOptions = ListenAddress & { house: House; clock: Clock; paceMs?: number };

export type Message = { topic: string; payload: string; retain?: boolean };

export type MqttDevice = Pick<Broker, 'host' | 'port' | 'close'> &
  Pick<MqttBehaviour, 'login' | 'mode'> & { faults: Faults };

type MqttBehaviour = {
  login?: Login;
  /** Returns the messages of this time, for the `count`th report. */
  report(state: HouseState, count: number): Message[];
  /** Returns the replies to a command; none if the message is not a command. */
  handleCommand(topic: string, payload: string, isRefused: boolean): Message[];
  mode(): 'self-consumption' | 'forced';
};

/** Starts a device with its own broker that reports every second and accepts commands. */
export async function startMqttDevice(
  { house, clock, paceMs = 1000, ...address }: MqttDeviceOptions,
  { login, report: tell, handleCommand: obey, mode }: MqttBehaviour,
): Promise<MqttDevice> {
  const faults = createFaults(
    clock,
    faultKinds.filter((kind) => kind !== 'wrong-unit' && kind !== 'wrong-transaction'),
  );
  const send = ({ topic, payload, retain = false }: Message, fault: ReturnType<Faults['next']>): void => {
    const write = (bytes: Buffer): void => broker.publish(topic, bytes, { retain });
    void deliver(Buffer.from(payload), fault, { write, close: broker.closeConnections });
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

/** Parses a command; empty if it is not JSON. */
export function parseCommand<Command extends object>(payload: string): Partial<Command> {
  try {
    return JSON.parse(payload) ?? {};
  } catch {
    return {};
  }
}
