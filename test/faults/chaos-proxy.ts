import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { listenOnLoopback } from '../listen-on-loopback.ts';

/** What is wrong with a wire, both ways. */
export type Chaos = {
  /** every piece is so late, and by chance up to so much more */
  latencyMs?: number;
  jitterMs?: number;
  /** no more bytes than this are written at once */
  sliceBytes?: number;
  bytesPerSecond?: number;
  /** the connection is cut when so many bytes have passed, wherever that is in a frame */
  cutAfterBytes?: number;
  /** nothing passes and nobody is told, as when a cable is pulled behind a switch */
  isHalfOpen?: boolean;
  /** of so many bytes one has a bit that is turned */
  flipOneIn?: number;
};

export type ChaosProxy = {
  host: string;
  port: number;
  /** Holds from now on, for those who are connected as well. */
  set(chaos: Chaos): void;
  /** how often somebody has connected */
  connections(): number;
  close(): Promise<void>;
};

const lookMs = 5;
const throttledSteps = 20; // a second

/** A TCP way to a port of this machine that can be made as bad as the worst one. */
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
        else if (chaos.sliceBytes) await turn(); // so that it leaves by itself
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
      from.on('error', () => {}); // the other side is told below
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
