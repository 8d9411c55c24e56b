import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { build, type Rolldown } from 'vite';
import { chromiumMissing, launchChromium } from '#test/browser/chromium.ts';
import { connectGateway } from '#test/cloud/gateway-client.ts';
import { openCloud } from '#test/cloud/open-cloud.ts';

/** The client as a bundler makes it for a page. */
async function bundle(): Promise<string> {
  const entry = join(import.meta.dirname, 'index.ts');
  const lib = { entry, formats: ['iife' as const], name: 'client' };
  const [bundled] = (await build({
    configFile: false,
    logLevel: 'warn',
    build: { lib, write: false },
  })) as Rolldown.RolldownOutput[];
  const [{ imports, code }] = bundled!.output;
  assert.deepEqual(imports, []);
  return code;
}

// Declarations for the functions that run in the page.
declare const client: typeof import('./index.ts');

test('a page signs in with a key that no script can read, and follows a site', {
  skip: chromiumMissing,
  timeout: 60_000,
}, async (t) => {
  const cloud = await openCloud();
  t.after(() => cloud.close());
  const { port } = new URL(await cloud.app.listen({ host: '127.0.0.1', port: 0 }));
  await cloud.start();
  const { owner, org, site, gateway: signer } = await cloud.home();
  const gateway = await connectGateway(cloud.transport.urls.mqtt!, signer, cloud.clock.now());
  t.after(() => gateway.endAsync(true));
  await gateway.report('INV-1', 'pv', { timestamp: cloud.clock.now(), W: -1200 });

  const browser = await launchChromium();
  t.after(() => browser.close());
  const page = await browser.newPage();
  await page.goto(`http://localhost:${port}/health`);
  await page.evaluate(`${await bundle()};globalThis.client = client;`);

  await page.evaluate(
    async (secret) => {
      const pair = await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify']);
      const ohmstead = await client.connect('', { key: await client.keyFromPair(pair as never) });
      Object.assign(globalThis, { ohmstead });
      await ohmstead.call(client.acceptInvitation, { params: { secret } });
    },
    await cloud.invite(owner, org, 'viewer'),
  );
  const seen = await page.evaluate(async (siteId) => {
    const { ohmstead } = globalThis as unknown as { ohmstead: Awaited<ReturnType<typeof client.connect>> };
    const names: string[] = [];
    for await (const { name } of ohmstead.pages(client.listSites)) names.push(name);
    for await (const event of ohmstead.stream(siteId)) {
      if (event.type === 'reading') return { names, W: event.reading.W };
    }
    return undefined;
  }, site);
  assert.deepEqual(seen, { names: ['House'], W: -1200 });
});
