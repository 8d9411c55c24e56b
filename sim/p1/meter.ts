import type { Writable } from 'node:stream';
import type { Clock } from '#lib/clock.ts';
import { createFaults, deliver, type Faults, type Wire, wireOf } from '../faults.ts';
import type { House } from '../house.ts';
import { type ListenAddress, type Listener, listen } from '../listen.ts';
import { type P1FormatName, p1Formats } from './formats.ts';
import { meterValues } from './meter-values.ts';

type MeterOptions = { format: P1FormatName; house: House; clock: Clock; paceMs?: number };

export type Meter = { faults: Faults; close(): Promise<void> };

/** Sends telegrams at the interval of the meter. */
function startMeter({ format, house, clock, paceMs }: MeterOptions, wire: Wire, close = async () => {}): Meter {
  const { write: compose, paceMs: ownPaceMs } = p1Formats[format];
  const faults = createFaults(clock, ['silence', 'late', 'cut-frame', 'bit-flip', 'garbage', 'close', 'flood']);
  let count = 0;
  const timer = setInterval(() => {
    const telegram = compose(meterValues(house.at(clock.now())), count);
    count += 1;
    void deliver(telegram, faults.next(), wire);
  }, paceMs ?? ownPaceMs);
  return {
    faults,
    async close() {
      clearInterval(timer);
      await close();
    },
  };
}

export const startP1 = (options: MeterOptions, stream: Writable): Meter => startMeter(options, wireOf(stream));

/** Starts a meter behind a network adapter; all clients receive its telegrams. */
export async function startP1Tcp(options: MeterOptions, address: ListenAddress): Promise<Meter & Listener> {
  const listeners = new Set<Writable>();
  const server = await listen(address, (socket) => {
    listeners.add(socket);
    socket.resume(); // a P1 port receives nothing
    socket.on('close', () => listeners.delete(socket));
  });
  const write = (bytes: Buffer): void => {
    for (const listener of listeners) wireOf(listener).write(bytes);
  };
  return { ...server, ...startMeter(options, { write, close: server.closeConnections }, server.close) };
}
