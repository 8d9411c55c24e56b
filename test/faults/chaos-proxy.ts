import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { listenOnLoopback } from '../listen-on-loopback.ts';

/** Faults of a connection, in both directions. */
export type Chaos = {
  /** delay of every piece, and a random addition up to this */
  latencyMs?: number;
  jitterMs?: number;
  /** maximum size of a write in bytes */
  sliceBytes?: number;
  bytesPerSecond?: number;
  /** the connection is cut after this many bytes, anywhere in a frame */
  cutAfterBytes?: number;
  /** nothing passes and no side is notified, as when a cable is pulled behind a switch */
  isHalfOpen?: boolean;
  /** one byte in this many has a flipped bit */
  flipOneIn?: number;
};

export type ChaosProxy = {
  host: string;
  port: number;
  /** Applies from now on, also to open connections. */
  set(chaos: Chaos): void;
  /** number of connections so far */
  connections(): number;
  close(): Promise<void>;
};

const lookMs = 5;
const throttledSteps = 20; // a second

/** A TCP proxy to a port of this machine that can behave as badly as the worst network. */
export async function openChaosProxy(targetPort: number, begin: Chaos = {}): Promise<ChaosProxy> {
  let chaos = begin;
  let connections = 0;
  const state = { isClosed: false };
  const open = new Set<Socket>();

  const untilWhole = async (): Promise<void> => {
    while (chaos.isHalfOpen && !state.isClosed) await sleep(lookMs);
  };

  async function carry(from: Socket, to: Socket, passed: { bytes: number }): Promise<void> {
    for await (const chunk of from as AsyncIterable<Buffer>) {
      await untilWhole();
      const lateMs = (chaos.latencyMs ?? 0) + Math.random() * (chaos.jitterMs ?? 0);
      if (lateMs > 0) await sleep(lateMs);
      for (const slice of slicesOf(chunk, chaos)) {
        await untilWhole();
        const end = (chaos.cutAfterBytes ?? Number.POSITIVE_INFINITY) - passed.bytes;
        const piece = slice.subarray(0, Math.max(0, end));
        passed.bytes += piece.length;
        if (to.destroyed) return;
        if (!to.write(damaged(piece, chaos.flipOneIn))) await Promise.race([once(to, 'drain'), once(to, 'close')]);
        if (end <= slice.length) {
          for (const socket of [from, to]) socket.destroy();
          return;
        }
        if (chaos.bytesPerSecond) await sleep((1000 * piece.length) / chaos.bytesPerSecond);
        else if (chaos.sliceBytes) await turn(); // so that it does not keep the process alive
      }
    }
  }

  const server = createServer({ noDelay: true }, (near) => {
    connections++;
    const far = connect({ port: targetPort, host: '127.0.0.1', noDelay: true });
    const passed = { bytes: 0 };
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from);
      from.on('error', () => {}); // the other side is notified below
      from.on('close', () => open.delete(from));
      void carry(from, to, passed)
        .catch(() => {})
        .then(untilWhole)
        .then(() => to.destroySoon());
    }
  });
  const port = await listenOnLoopback(server);
  return {
    host: '127.0.0.1',
    port,
    set(next) {
      chaos = next;
    },
    connections: () => connections,
    async close() {
      state.isClosed = true;
      server.close();
      for (const socket of open) socket.destroy();
      await once(server, 'close');
    },
  };
}

function* slicesOf(chunk: Buffer, { sliceBytes, bytesPerSecond }: Chaos): Generator<Buffer> {
  const most = sliceBytes ?? (bytesPerSecond ? Math.max(1, Math.ceil(bytesPerSecond / throttledSteps)) : chunk.length);
  for (let at = 0; at < chunk.length; at += most) yield chunk.subarray(at, at + most);
}

function damaged(piece: Buffer, flipOneIn: number | undefined): Buffer {
  if (!flipOneIn) return piece;
  return Buffer.from(piece.map((byte) => (Math.random() * flipOneIn < 1 ? byte ^ (1 << (Math.random() * 8)) : byte)));
}
