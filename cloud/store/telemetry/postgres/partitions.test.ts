import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { suite, test } from 'node:test';
import { Client } from 'pg';
import { dayMs, hourMs, minuteMs } from '#contract/time.ts';
import { createLog } from '#lib/log.ts';
import { freePort } from '#test/free-port.ts';
import { freshDatabase, postgresMissing } from '#test/services/postgres.ts';
import type { Sample, TelemetryStore } from '../telemetry-store.ts';
import { rawOf } from '../testing/answers.ts';
import { openTwoServers, sampleOf } from '../testing/two-servers.ts';
import { movePartition } from './move.ts';
import { openPostgresTelemetry } from './open.ts';
import { parseServers, partitionLocks } from './partitions.ts';

const retention = { rawMs: 30 * dayMs, minutesMs: 60 * dayMs, hoursMs: 100 * dayMs };
const log = createLog({ level: 'silent', name: 'test' });
const noon = Date.UTC(2026, 4, 4, 12);

/** Readings every five minutes of one hour. */
const hourOf = (ders: readonly number[], hour: number): Sample[] =>
  ders.flatMap((der) =>
    Array.from({ length: 12 }, (_, n) => {
      const at = hour + n * 5 * minuteMs;
      return { der, at, received: at * 1000 + der, body: JSON.stringify({ W: n }) };
    }),
  );

// Seals each time it reads a line with the time, and prints how many readings it sealed.
const sealer = `
  import { createInterface } from 'node:readline';
  import { openPostgresTelemetry } from '#cloud/store/telemetry/postgres/open.ts';
  import { createLog } from '#lib/log.ts';
  const { url, retention } = JSON.parse(process.argv[1]);
  const store = await openPostgresTelemetry({ url, retention, log: createLog({ level: 'silent', name: 'child' }) });
  console.log('ready');
  for await (const line of createInterface({ input: process.stdin })) console.log((await store.seal(Number(line))).readings);
  await store.close();
`;

suite('partitions', { skip: postgresMissing() }, () => {
  test('are shared by two processes that seal, and each reading is sealed once', async (t) => {
    const { url, drop } = await freshDatabase();
    t.after(drop);
    const store = await openPostgresTelemetry({ url, partitions: 8, retention, log });
    t.after(store.close);
    const ders = Array.from({ length: 32 }, (_, i) => i);
    const args = ['--input-type=module-typescript', '--eval', sealer, JSON.stringify({ url, retention })];
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    t.after(() => child.kill());
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    assert.equal((await lines.next()).value, 'ready');
    const sealed = { here: 0, there: 0 };
    let hours = 0;
    do {
      const hour = noon + hours++ * hourMs;
      await store.append(hourOf(ders, hour));
      const now = hour + 3 * hourMs;
      child.stdin.write(`${now}\n`);
      const [here, there] = await Promise.all([store.seal(now), lines.next()]);
      sealed.here += here.readings;
      sealed.there += Number(there.value);
      assert.equal(sealed.here + sealed.there, hours * 12 * ders.length, 'all of them, each once');
    } while ((sealed.here === 0 || sealed.there === 0) && hours < 10);
    assert.ok(sealed.here > 0 && sealed.there > 0, JSON.stringify(sealed));
    child.stdin.end();
    await once(child, 'exit');
    const counts = await Promise.all(ders.map(async (der) => (await rawOf(store, der, noon, noon + dayMs)).length));
    assert.deepEqual(new Set(counts), new Set([hours * 12]));
  });

  test('are left to a process that works on them', async (t) => {
    const { url, drop } = await freshDatabase();
    t.after(drop);
    const store = await openPostgresTelemetry({ url, partitions: 2, retention, log });
    t.after(store.close);
    await store.append(hourOf([2, 3], noon));
    const other = new Client(url);
    await other.connect();
    await other.query('select pg_advisory_lock($1, 1)', [partitionLocks]);
    assert.equal((await store.seal(noon + 3 * hourMs)).readings, 12, 'of partition 0');
    assert.equal(await store.erase([3]), false);
    await other.end();
    assert.equal((await store.seal(noon + 3 * hourMs)).readings, 12, 'of partition 1');
  });

  test('of a server that is down do not hold up those of others', async (t) => {
    const servers = await openTwoServers(t);
    const first = await servers.open();
    await first.append([0, 1].map((der) => sampleOf(der, 0)));
    await movePartition(servers.partitionMap(), {
      part: 1,
      target: 'east',
      signal: new AbortController().signal,
      onProgress: () => {},
    });
    const url = servers.names[0]!.url;
    const warnings: string[] = [];
    const lines = createLog({
      level: 'warn',
      name: 'test',
      destination: { write: (line) => void warnings.push(line) },
    });
    const east = { name: 'east', url: `postgres://127.0.0.1:${await freePort()}/telemetry` };
    const store: TelemetryStore = await openPostgresTelemetry({ url, servers: [east], retention, log: lines });
    t.after(store.close);
    assert.match(warnings.join(), /a server of telemetry does not answer/);
    const [here, there] = [sampleOf(0, 1), sampleOf(1, 1)];
    await store.append([here]);
    await assert.rejects(store.append([there]), /ECONNREFUSED/);
    assert.equal((await rawOf(store, 0, here.at - hourMs, here.at + 1)).length, 2);
    await assert.rejects(store.seal(here.at + 3 * hourMs), /ECONNREFUSED/);
    assert.deepEqual((await store.latest([0])).get(0)?.received, here.at * 1000, 'sealed all the same');
    await assert.rejects(openPostgresTelemetry({ url, retention, log }), {
      message: 'Telemetry is stored on the server east, which TELEMETRY_URLS does not name; add it.',
    });
  });

  test('are on servers with names that TELEMETRY_URLS gives once each', () => {
    assert.deepEqual(parseServers(undefined), []);
    assert.deepEqual(parseServers('east=postgres://a,b:5433/x,west-2=postgresql://c/y'), [
      { name: 'east', url: 'postgres://a,b:5433/x' },
      { name: 'west-2', url: 'postgresql://c/y' },
    ]);
    assert.throws(() => parseServers('main=postgres://a/x'), /names a server main/);
    assert.throws(() => parseServers('a=postgres://a/x,a=postgres://b/x'), /names the server a twice/);
  });
});
