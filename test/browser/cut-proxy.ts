import { connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { listenOnLoopback } from '../listen-on-loopback.ts';

/** A proxy to a server that can be cut: new connections are then refused. */
export async function openCutProxy(t: TestContext, target: string) {
  const targetPort = Number(new URL(target).port);
  const open = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) return near.destroy();
    const far = connect(targetPort, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.on('error', () => {}); // the other side is closed below
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
    return near;
  });
  const port = await listenOnLoopback(server);
  const cut = (): void => {
    isCut = true;
    for (const socket of open) socket.destroy();
  };
  t.after(() => {
    cut();
    server.close();
  });
  return {
    url: `http://localhost:${port}`,
    cut,
    mend(): void {
      isCut = false;
    },
  };
}
