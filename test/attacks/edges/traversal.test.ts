import assert from 'node:assert/strict';
import { Agent, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { someOf } from '../../amount.ts';
import { openCloud } from '../../cloud/open-cloud.ts';

// biome-ignore format: rows of words
const ups = [
  '..', '%2e%2e', '.%2e', '%2E.', '%252e%252e', '..;', '...', '....', '..%00', '%c0%ae%c0%ae', '%e0%80%ae%e0%80%ae',
  '%u002e%u002e', '%ef%bc%8e%ef%bc%8e', '%e2%80%a5', '..%20',
];
// biome-ignore format: rows of words
const slashes = ['/', '%2f', '%2F', '%5c', '\\', '//', '%252f', '%255c', '%c0%af', '/./', '%e2%88%95', ';/'];
const depths = [1, 3];
const wanted = ['package.json', 'etc/passwd', 'package.json%00.js'];
const places = ['/assets/', '/app/', '/docs/', '/'];

const spellings = someOf(
  places.flatMap((place) =>
    ups.flatMap((up) =>
      slashes.flatMap((slash) =>
        depths.flatMap((depth) => wanted.map((file) => place + (up + slash).repeat(depth) + file)),
      ),
    ),
  ),
);

/** Sent as written: nothing on the way resolves `..`. */
const ask = (port: number, path: string, agent: Agent): Promise<{ status: number; body: string }> =>
  new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, agent }, (answer) => {
      const heard: Buffer[] = [];
      answer.on('data', (bytes: Buffer) => heard.push(bytes));
      answer.on('end', () => resolve({ status: answer.statusCode!, body: Buffer.concat(heard).toString() }));
    }).on('error', reject);
  });

test(`none of ${spellings.length} spellings of .. leads to a file that is not a page`, async (t) => {
  const cloud = await openCloud();
  t.after(() => cloud.close());
  await cloud.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = cloud.app.server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  t.after(() => agent.destroy());

  const next = spellings.values();
  async function askSome(): Promise<void> {
    for (const path of next) {
      const { status, body } = await ask(port, path, agent);
      assert.ok(status < 500 || body.includes('"unavailable"'), `${path}: ${status}`);
      assert.ok(!body.includes('"devDependencies"') && !body.includes('root:x:'), path);
    }
  }
  await Promise.all(Array.from({ length: 4 }, askSome));
});
