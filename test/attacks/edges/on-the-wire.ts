import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createServer } from '#lib/http/server.ts';
import { createLog } from '#lib/log.ts';

const moreThanBuffersTake = Buffer.alloc(16_000_000, 'x');

/** Creates a server with our usual options that counts the requests that reach its routes. */
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

/** Opens a connection and sends the text as it is. */
export async function say(port: number, text: string | Buffer): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => {}); // the other side may end it
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

/** Returns the answer up to the end of the connection, or until nothing more was received for a while. */
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
