// node:http and nothing else: reads what is sent, answers everything with the reply it was started with.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
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
server.listen(0, '127.0.0.1');
await once(server, 'listening');
report({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }, async () => {
  server.closeAllConnections();
  server.close();
});
