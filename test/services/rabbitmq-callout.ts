import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { freePort } from '../free-port.ts';
import { listenOnLoopback } from '../listen-on-loopback.ts';

type Answer = (response: ServerResponse) => unknown;

export type Callout = {
  url: string;
  /** number of calls */
  readonly asked: number;
  /** Answers everything like this from now on; without an argument, correctly. */
  answer(how?: Answer): void;
  open(): Promise<void>;
  close(): Promise<void>;
};

const says =
  (status: number, words: string): Answer =>
  (response) =>
    response.writeHead(status).end(words);

/** Faults of a platform that cannot be asked. */
export const waysToBeAway: Record<string, Answer> = {
  'answers 500': says(500, 'allow'),
  'answers 503': says(503, ''),
  'answers 404, as behind another proxy': says(404, '<html>allow</html>'),
  'answers 401, as to a wrong secret': says(401, 'allow'),
  'answers 302': says(302, 'allow'),
  'answers with an error page': says(200, '<html>allow</html>'),
  'answers nothing at all': says(200, ''),
  'says deny': says(200, 'deny'),
  'hangs up': ({ req }) => req.socket.destroy(),
  'never answers': () => {},
};

/** The platform as the broker calls it: every client named `gw-…` may do everything. */
export async function startCallout(): Promise<Callout> {
  const port = await freePort();
  let server: Server;
  let how: Answer | undefined;
  const callout = {
    url: `http://127.0.0.1:${port}`,
    asked: 0,
    answer(next?: Answer) {
      how = next;
    },
    async open() {
      server = createServer((request, response) => void reply(request, response));
      await listenOnLoopback(server, port);
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    callout.asked += 1;
    const question = new URLSearchParams(await text(request));
    (how ?? says(200, question.get('username')?.startsWith('gw-') ? 'allow' : 'deny'))(response);
  }
  await callout.open();
  return callout;
}
