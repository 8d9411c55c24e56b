import { type AddressInfo, createServer as createListener } from 'node:net';
import { scanWifi } from '#contract/gateway/network.ts';
import { gatewayRoutes } from '#contract/gateway/routes.ts';
import type { Route } from '#contract/route.ts';
import { createServer } from '#lib/http/server.ts';
import { createLog } from '#lib/log.ts';
import { documented } from '../gateway/documented-routes.ts';
import { openGateway } from '../gateway/open-gateway.ts';
import { listenOnLoopback } from '../listen-on-loopback.ts';
import type { Wanted } from './cross-site-ways.ts';

/** Effects of the attempts: the browser hides the rest. */
export type Arrived = {
  requests: number;
  /** those on routes that change something */
  atRoutes: number;
  /** preflight requests */
  questions: number;
};

/** The server that a foreign page attacks. */
export type Victim = AsyncDisposable & {
  url: string;
  /** requests that reached it */
  arrived(): Promise<Arrived>;
  /** effects that should not be possible */
  effects(): Promise<string[]>;
  /** an endpoint that a page may call, at an address that browsers know */
  wanted(routes: readonly Route[], base: string): Wanted[];
};

/** Everything that changes something, and the request that makes the radio scan. */
export const mutating = gatewayRoutes.filter((route) => route.method !== 'GET' || route.path === scanWifi.path);

const nameOf = ({ method, path }: Route): string => `${method} ${path}`;
const bodies = new Map(documented.map(({ is, body }) => [is, body]));

/** Bodies that would make the gateway call a server, which notices. */
const calls = (port: number): Record<string, object> => ({
  'POST /api/devices': { type: 'modbus_tcp', ip: '127.0.0.1', port, unit_id: 1, profile: 'sungrow' },
  'POST /api/devices/detect': { ip: '127.0.0.1', port },
  'POST /api/network/port-check': { host: '127.0.0.1', port },
  'POST /api/modbus/read': { ip: '127.0.0.1', port, unit_id: 1, register: 1 },
});

const wantedOf =
  (noticedAt: number) =>
  (routes: readonly Route[], base: string): Wanted[] =>
    routes.map((route) => ({
      url: base + route.path.replace('{address}', '1').replaceAll(/\{\w+\}/g, 'A1'),
      method: route.method,
      text: JSON.stringify(calls(noticedAt)[nameOf(route)] ?? bodies.get(nameOf(route)) ?? {}),
    }));

type Answered = { what: string; status: number; count: number };

const countOf = (answered: readonly Answered[]): number => answered.reduce((sum, { count }) => sum + count, 0);

/** A whole gateway with unguarded local API. */
export async function openGatewayVictim(port = 0): Promise<Victim> {
  let called = 0;
  const listener = createListener((socket) => {
    called += 1;
    socket.destroy();
  });
  const noticedAt = await listenOnLoopback(listener);
  const gateway = await openGateway({ GATEWAY_PORT: String(port), LOCAL_API: 'open' });
  const isMutating = new Set(mutating.map((route) => nameOf(route).replaceAll(/\{(\w+)\}/g, ':$1')));

  async function answered(): Promise<Answered[]> {
    const text = await (await fetch(`${gateway.url}/metrics`)).text();
    return [...text.matchAll(/^http_request_duration_seconds_count\{(.*)\} (\d+)$/gm)].map(([, labels, count]) => {
      const { method, route, status } = Object.fromEntries(
        [...labels!.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
      );
      return { what: `${method} ${route}`, status: Number(status), count: Number(count) };
    });
  }

  return {
    url: gateway.url,
    async arrived() {
      const all = (await answered()).filter(({ what }) => what !== 'GET /metrics');
      const questions = countOf(all.filter(({ what }) => what.startsWith('OPTIONS ')));
      return {
        requests: countOf(all) - questions,
        atRoutes: countOf(all.filter(({ what }) => isMutating.has(what))),
        questions,
      };
    },
    async effects() {
      const reached = (await answered()).filter(
        ({ what, status }) => isMutating.has(what) && ![403, 421].includes(status),
      );
      return [
        ...reached.map(({ what, status, count }) => `${what} was answered ${status} ${count} times`),
        ...(called > 0 ? [`the gateway called a server ${called} times`] : []),
      ];
    },
    wanted: wantedOf(noticedAt),
    async [Symbol.asyncDispose]() {
      await gateway.close();
      listener.close();
    },
  };
}

/** The same routes without access checks, on which the attack succeeds. */
export async function openDoorless(): Promise<Victim> {
  const app = createServer({ log: createLog({ level: 'silent', name: 'doorless' }), apiVersion: 'test' });
  const reached = new Set<string>();
  const arrived: Arrived = { requests: 0, atRoutes: 0, questions: 0 };
  app.addHook('onRequest', async ({ method, is404 }) => {
    arrived[method === 'OPTIONS' ? 'questions' : 'requests'] += 1;
    if (!is404) arrived.atRoutes += 1;
  });
  for (const route of mutating) {
    app.route({
      method: route.method,
      url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      handler: async () => reached.add(nameOf(route)).size,
    });
  }
  await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    url: `http://localhost:${(app.server.address() as AddressInfo).port}`,
    arrived: async () => arrived,
    effects: async () => [...reached],
    wanted: wantedOf(9),
    [Symbol.asyncDispose]: () => app.close(),
  };
}
