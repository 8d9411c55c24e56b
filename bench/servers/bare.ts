// A bare node:http server: reads the request and always sends the reply it was started with.
import { createServer } from 'node:http';
import { listenOnLoopback } from '../../test/listen-on-loopback.ts';
import type { Reply } from '../http/reply.ts';
import { report } from './report.ts';

const { status, headers, body }: Reply = JSON.parse(process.argv[2]!);

const server = createServer((request, response) => {
  const answer = (): void => {
    response.writeHead(status, headers);
    response.end(body);
  };
  if (request.method === 'GET') return answer();
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    JSON.parse(Buffer.concat(chunks).toString());
    answer();
  });
});
report({ url: `http://127.0.0.1:${await listenOnLoopback(server)}` }, async () => {
  server.closeAllConnections();
  server.close();
});
