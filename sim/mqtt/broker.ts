import { promisify } from 'node:util';
import { Aedes, type AuthenticateError } from 'aedes';
import '#lib/mqtt-packet-cache.ts';
import { type ListenAddress, type Listener, listen } from '../listen.ts';

export type Login = { username: string; password: string };
export type Broker = Listener & {
  publish(topic: string, payload: string | Buffer, options?: { retain?: boolean }): void;
};

type BrokerOptions = ListenAddress & {
  /** default: any client may connect */
  login?: Login;
  receive(topic: string, payload: string): void;
};

const badLogin = 4;
const maxWaiting = 2000;

export async function startBroker({ login, receive, ...address }: BrokerOptions): Promise<Broker> {
  const aedes = new Aedes({
    authenticate(_, username, password, done) {
      if (!login || (username === login.username && password?.toString() === login.password)) return done(null, true);
      const refusal: AuthenticateError = Object.assign(new Error('Wrong username or password.'), {
        returnCode: badLogin,
      });
      return done(refusal, false);
    },
  });
  await aedes.listen();
  aedes.on('publish', ({ topic, payload }, client) => {
    if (client) receive(topic, payload.toString());
  });
  const closeAedes = promisify(aedes.close.bind(aedes));
  const server = await listen(address, (socket) => aedes.handle(socket)).catch(async (error: unknown) => {
    await closeAedes();
    throw error;
  });
  const waiting: Parameters<Aedes['publish']>[0][] = [];
  let isPublishing = false;

  /** Publishes one message at a time: Aedes overflows its stack when a subscriber leaves many queued messages behind. */
  function publishNext(): void {
    const packet = aedes.closed ? undefined : waiting.shift();
    isPublishing = packet !== undefined;
    if (!packet) return;
    aedes.publish(packet, (error) => {
      if (error && !aedes.closed) throw error;
      setImmediate(publishNext);
    });
  }

  return {
    ...server,
    publish(topic, payload, { retain = false } = {}) {
      if (waiting.length === maxWaiting) return; // brokers drop messages when clients are too slow
      waiting.push({ cmd: 'publish', topic, payload, qos: 0, retain, dup: false });
      if (!isPublishing) publishNext();
    },
    async close() {
      if (aedes.closed) return;
      await closeAedes();
      await server.close();
    },
  };
}
