import type { Socket } from 'node:net';
import { ownTimeMs } from '../../waited-for-processor.ts';
import { say } from './on-the-wire.ts';

/** The first part of the request, and the part that is repeated without end. */
const slow = {
  'say nothing': { first: '', next: '' },
  'send a header letter by letter': { first: 'GET /quick HTTP/1.1\r\nHost: x\r\nX-A: ', next: 'a' },
  'send a body byte by byte': {
    first: 'POST /take HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n"',
    next: 'a',
  },
  'read nothing of the answer': { first: 'GET /much HTTP/1.1\r\nHost: x\r\n\r\n', next: '' },
};

export type Slowness = keyof typeof slow;

const dripMs = 500;
const atOnce = 100; // size of the accept queue of a listener

export type SlowSenders = Disposable & {
  count: number;
  /** number of connections still open */
  left(kind: Slowness): number;
};

/** Opens slow connections, a quarter of them of each kind. */
export async function openSlow(port: number, count: number): Promise<SlowSenders> {
  const open = new Map<string, Socket[]>();
  for (const [kind, { first }] of Object.entries(slow)) {
    const sockets: Socket[] = [];
    while (sockets.length < count / 4) {
      sockets.push(...(await Promise.all(Array.from({ length: atOnce }, () => say(port, first)))));
    }
    for (const socket of sockets) {
      if (kind === 'read nothing of the answer') socket.pause();
      else socket.resume();
    }
    open.set(kind, sockets);
  }
  const drip = setInterval(() => {
    for (const [kind, sockets] of open) {
      const { next } = slow[kind as Slowness];
      for (const socket of sockets) if (next && socket.writable) socket.write(next);
    }
  }, dripMs);
  return {
    count: [...open.values()].flat().length,
    left: (kind) => open.get(kind)!.filter(({ closed }) => !closed).length,
    [Symbol.dispose]() {
      clearInterval(drip);
      for (const socket of [...open.values()].flat()) socket.destroy();
    },
  };
}

const patienceMs = 2000;

/**
 * Duration of consecutive requests in ms, without the time that other processes had the processor, sorted;
 * a request without an answer takes forever.
 */
export async function quickTimes(port: number, count: number): Promise<number[]> {
  const times: number[] = [];
  await askQuickly(port); // the first one loads the client
  for (let i = 0; i < count; i++) {
    const began = ownTimeMs();
    times.push((await askQuickly(port)) ? ownTimeMs() - began : Number.POSITIVE_INFINITY);
  }
  return times.sort((one, other) => one - other);
}

async function askQuickly(port: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/quick`, { signal: AbortSignal.timeout(patienceMs) });
    await answer.arrayBuffer();
    return answer.status === 200;
  } catch {
    return false;
  }
}
