// Bare node:http: a GET stays open, and a POST sends generated readings to all open ones.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMeter } from '#sim/fleet/gateway.ts';
import { listenOnLoopback } from '../../test/listen-on-loopback.ts';
import { idOf } from '../registry/fill.ts';
import { report } from './report.ts';

const tickMs = 10;
const meter = createMeter(1);
const streams = new Map<string, ServerResponse[]>();
const place = ['site_id', 'device_id', 'der_id'].map((name) => `,"${name}":"${idOf('sit', 0)}"`).join('');
let id = 1_700_000_000_000_000;

function open(path: string, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' });
  response.write('retry: 3000\n\n');
  response.socket!.setNoDelay(true);
  const known = streams.get(path);
  if (known) known.push(response);
  else streams.set(path, [response]);
}

/** Sends for one site after the other, evenly over time. */
async function pace(perSecond: number, seconds: number): Promise<number> {
  const sites = [...streams.values()];
  const began = performance.now();
  let sent = 0;
  for (let due = 0; due < perSecond * seconds; await sleep(tickMs)) {
    due = Math.min(((performance.now() - began) * perSecond) / 1000, perSecond * seconds);
    for (; sent < due; sent++) {
      const event = `id: ${id++}\ndata: ${meter.read(Date.now()).slice(0, -1)}${place}}\n\n`;
      for (const response of sites[sent % sites.length]!) response.write(event);
    }
  }
  return sent;
}

async function paced({ url }: IncomingMessage, response: ServerResponse): Promise<void> {
  const asked = new URL(url!, 'http://localhost').searchParams;
  const began = performance.now();
  const messages = await pace(Number(asked.get('perSecond')), Number(asked.get('seconds')));
  response.end(JSON.stringify({ messages, seconds: (performance.now() - began) / 1000 }));
}

const server = createServer((request, response) => {
  if (request.method === 'GET') open(request.url!, response);
  else void paced(request, response);
});
report({ url: `http://127.0.0.1:${await listenOnLoopback(server)}` }, async () => {
  server.closeAllConnections();
  server.close();
});
