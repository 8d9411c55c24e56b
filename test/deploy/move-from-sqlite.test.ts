import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { type RunningCloud, startCloud } from '#cloud/main.ts';
import { openTelemetry } from '#cloud/store/telemetry/open.ts';
import type { SealReport } from '#cloud/store/telemetry/telemetry-store.ts';
import { createClient } from '#contract/client.ts';
import { getDer } from '#contract/cloud/devices.ts';
import { listSites, updateSite } from '#contract/cloud/sites.ts';
import { getDerTelemetry } from '#contract/cloud/telemetry.ts';
import { hourMs } from '#contract/time.ts';
import { createLog } from '#lib/log.ts';
import { connectGateway } from '../cloud/gateway-client.ts';
import { enrolFleet, type Fleet } from '../faults/fleet.ts';
import { freshDatabase, postgresMissing } from '../services/postgres.ts';
import { root } from '../source-files.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const program = join(root, 'deploy/postgresql/move-from-sqlite');
const move = (folder: string, url: string) => promisify(execFile)(program, [folder, url]);
const now = Math.floor(Date.now() / hourMs) * hourMs;

/** Runs a platform on this data, and stops it afterwards. */
async function withCloud<T>(
  dataDir: string,
  DATABASE_URL: string,
  work: (cloud: RunningCloud) => Promise<T>,
): Promise<T> {
  const env = { DATA_DIR: dataDir, DATABASE_URL, CLOUD_PORT: '0', MQTT_PORT: '0', LOG_LEVEL: 'silent' };
  const cloud = await startCloud(env, { version: 'test' });
  try {
    return await work(cloud);
  } finally {
    await cloud.close();
  }
}

/** A reading every minute, with periodic fractions and a text that is hard to quote. */
async function report(mqttUrl: string, { gateways }: Fleet, { fromHour, hours }: { fromHour: number; hours: number }) {
  const gateway = await connectGateway(mqttUrl, gateways[0]!.signer, Date.now());
  for (let minute = 0; minute < hours * 60; minute++) {
    const timestamp = now + fromHour * hourMs + minute * 60_000;
    const reading = { timestamp, W: minute / 3, total_import_Wh: 1e6 + minute / 7, note: 'a "b",\nc' };
    await gateway.report('M1', 'grid', reading);
  }
  await gateway.endAsync();
}

async function seal(dataDir: string): Promise<SealReport> {
  const retention = { rawMs: 30 * 24 * hourMs, minutesMs: 365 * 24 * hourMs, hoursMs: Number.POSITIVE_INFINITY };
  const telemetry = await openTelemetry({ dataDir, retention, log: createLog({ level: 'silent', name: 'test' }) });
  try {
    return await telemetry.seal(Date.now() + hourMs);
  } finally {
    await telemetry.close();
  }
}

/** The view with an earlier token: the registry, the latest reading, and the whole history. */
async function seen(url: string, { token, gateways }: Fleet) {
  const api = createClient({ baseUrl: url, token });
  const params = { der_id: gateways[0]!.der };
  const history = (resolution: 'raw' | '1m' | '1h') =>
    api.call(getDerTelemetry, {
      params,
      query: { from: String(now - 6 * hourMs), to: String(now + hourMs), resolution },
    });
  return {
    sites: await api.call(listSites),
    der: await api.call(getDer, { params }),
    history: [await history('raw'), await history('1m'), await history('1h')],
  };
}

/** As operators have it: the role of the platform owns its database and nothing else. */
async function databaseOfOrdinaryRole(t: TestContext): Promise<string> {
  const database = await freshDatabase();
  const url = new URL(database.url);
  const name = url.pathname.slice(1);
  const asSuperuser = async (statement: string): Promise<void> => {
    const client = new Client(new URL('/postgres', database.url).href);
    await client.connect();
    await client.query(statement);
    await client.end();
  };
  await asSuperuser(`create role ${name} login password '${name}'`);
  await asSuperuser(`alter database ${name} owner to ${name}`);
  t.after(async () => {
    await database.drop();
    await asSuperuser(`drop role ${name}`);
  });
  url.username = url.password = name;
  return url.href;
}

suite('moving from SQLite to PostgreSQL', { skip: postgresMissing() || sqliteMissing() }, () => {
  test('everything is there afterwards, to the last digit, and tokens stay valid', async (t) => {
    const folder = temporaryFolder(t);
    const [data, other] = [join(folder, 'data'), join(folder, 'other')];
    const fleet = await withCloud(data, '', async ({ url, mqttUrl }) => {
      const enrolled = await enrolFleet(url, 1);
      await report(mqttUrl!, enrolled, { fromHour: -5, hours: 4 });
      return enrolled;
    });
    assert.ok((await seal(data)).chunks > 0);
    const place = { latitude: 59 + 1 / 3, longitude: 18 + 1 / 7 };
    const before = await withCloud(data, '', async ({ url, mqttUrl }) => {
      await report(mqttUrl!, fleet, { fromHour: -1, hours: 1 });
      const api = createClient({ baseUrl: url, token: fleet.token });
      for await (const { id } of api.pages(listSites)) {
        await api.call(updateSite, { params: { site_id: id }, body: place });
      }
      return seen(url, fleet);
    });
    assert.equal(before.history[0]!.points.length, 300);
    assert.equal(before.sites[0]!.latitude, place.latitude);

    const databaseUrl = await databaseOfOrdinaryRole(t);
    await assert.rejects(move(data, databaseUrl), /not of the same version|does not exist/);
    await withCloud(other, databaseUrl, async () => {});
    assert.equal((await move(data, databaseUrl)).stderr, '');
    assert.deepEqual(await withCloud(other, databaseUrl, ({ url }) => seen(url, fleet)), before);
  });
});

/** The reason to skip, or false. On CI nothing is skipped. */
function sqliteMissing(): string | false {
  const missing = ['sqlite3', 'psql'].filter((program) => spawnSync(program, ['--version']).error);
  if (missing.length === 0) return false;
  const sentence = `Moving needs ${missing.join(' and ')}, which cannot be found.`;
  if (process.env.CI) throw new Error(sentence);
  return sentence;
}
