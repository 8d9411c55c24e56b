import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import type { Route } from '#contract/route.ts';
import { listenOnLoopback } from '../listen-on-loopback.ts';
import { launchChromium } from './chromium.ts';
import { foreignPage, type Wanted } from './cross-site-ways.ts';
import { mutating, type Victim } from './foreign-victim.ts';

/** A foreign name that resolves to this machine. */
const foreignName = 'evil.test';

/** Origin of the foreign page: another site, or the same one at another port. */
export const foreignHosts = [foreignName, 'localhost'] as const;

/** A browser for which the foreign name resolves to this machine, as after DNS rebinding. */
export const launchRebound = (): Promise<Browser> =>
  launchChromium([`--host-resolver-rules=MAP ${foreignName} 127.0.0.1`]);

async function servePage(): Promise<{ server: Server; port: number }> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(foreignPage);
  });
  return { server, port: await listenOnLoopback(server) };
}

async function endServer(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}

const run = <Result>(page: Page, call: string, wanted: readonly Wanted[]): Promise<Result> =>
  page.evaluate<Result>(`${call}(${JSON.stringify(wanted)})`);

/** At least this many attempts must reach the server, or the page does not try. */
export const leastArrived = (routes: readonly Route[]): number => routes.length * 5;

/** Lets a foreign page try everything on routes, by default on those that change something; returns the number of attempts. */
export async function attackAcrossSites(
  browser: Browser,
  host: string,
  victim: Victim,
  routes: readonly Route[] = mutating,
): Promise<number> {
  const { server, port } = await servePage();
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(`http://${host}:${port}/`);
    return await run(page, 'attack', victim.wanted(routes, victim.url));
  } finally {
    await context.close();
    await endServer(server);
  }
}

/** Opens the victim on the port of the page, and lets the page call it under its own name; returns the statuses. */
export async function attackRebound(
  browser: Browser,
  open: (port: number) => Promise<{ wanted(base: string): Wanted[] }>,
): Promise<{ wanted: Wanted[]; statuses: number[] }> {
  const { server, port } = await servePage();
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const base = `http://${foreignName}:${port}`;
    await page.goto(`${base}/`);
    await endServer(server);
    const wanted = (await open(port)).wanted(base);
    return { wanted, statuses: await run<number[]>(page, 'askOwn', wanted) };
  } finally {
    await context.close();
    if (server.listening) await endServer(server);
  }
}
