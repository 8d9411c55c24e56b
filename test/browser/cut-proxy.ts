import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

/** A way to a server that can be cut: whoever comes then is turned away. */
export async function openCutProxy(t: TestContext, target: string) {
  const { port } = new URL(target);
  const open = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) return near.destroy();
    const far = connect(Number(port), '127.0.0.1');
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
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => {
    isCut = true;
    for (const socket of open) socket.destroy();
  };
  t.after(() => {
    cut();
    server.close();
  });
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    cut,
    mend(): void {
      isCut = false;
    },
  };
}
