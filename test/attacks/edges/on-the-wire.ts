import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createServer } from '#lib/http/server.ts';
import { createLog } from '#lib/log.ts';

const moreThanBuffersTake = Buffer.alloc(16_000_000, 'x');

/** A server as all of ours are made, that counts what reaches its routes. */
export async function openServer() {
  const app = createServer({ log: createLog({ level: 'silent', name: 'test' }), apiVersion: 'test' });
  const reached: string[] = [];
  app.get('/quick', async () => {
    reached.push('GET /quick');
    return { quick: true };
  });
  app.post('/take', async ({ body }) => {
    reached.push(`POST /take ${JSON.stringify(body)?.slice(0, 100)}`);
    return {};
  });
  app.get('/much', async () => {
    reached.push('GET /much');
    return 'x'.repeat(100_000);
  });
  app.get('/more', async () => moreThanBuffersTake);
  await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    app,
    reached,
    port: (app.server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: () => app.close(),
  };
}

/** A connection on which the text was sent as it is. */
export async function say(port: number, text: string | Buffer): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => {}); // it may be ended by the other side
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

/** What is answered until the other side ends the connection, or has said nothing more for a while. */
export async function answerTo(port: number, text: string | Buffer, patienceMs = 300): Promise<string> {
  const socket = await say(port, text);
  const heard: Buffer[] = [];
  const { promise: over, resolve } = Promise.withResolvers<void>();
  socket.on('data', (bytes: Buffer) => void heard.push(bytes));
  socket.on('close', () => resolve());
  socket.setTimeout(patienceMs, resolve);
  await over;
  socket.destroy();
  return Buffer.concat(heard).toString('latin1');
}
