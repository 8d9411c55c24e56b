import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, type TestContext, test } from 'node:test';
import { Client } from 'pg';
import { engines } from '../cloud/open-cloud.ts';
import { freshDatabase } from '../services/postgres.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { until } from '../until.ts';
import { ask, askForTokens, signIn } from './ask.ts';
import { publicUrl, type Recorded, recorded, unpack, upgradeAt } from './fixture.ts';
import { type Program, startProgram } from './program.ts';
import { answersOf, playGateway, startRecordedPlatform } from './wire.ts';

const folder = temporaryFolder({ after });
unpack(folder);

/**
 * Means have three decimals now, and descriptions are in other words. In the seconds after its start 0.1.0 answered that
 * gateways were online which were not.
 */
function expectedNow(path: string, body: unknown): unknown {
  const isRounded = path.includes('/telemetry?') && !path.includes('resolution=raw');
  if (typeof body === 'string')
    return body.replaceAll(/-?\d+\.\d{4,}(?=[,\n])/g, (digits) => String(rounded(Number(digits))));
  const text = JSON.stringify(body, (name, value) => {
    if (name === 'description' || name === 'online') return undefined;
    return isRounded && typeof value === 'number' ? rounded(value) : value;
  });
  return JSON.parse(text);
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000;

for (const { engine, skip } of engines) {
  describe(`data of 0.1.0 on ${engine}`, { skip, timeout: 120_000 }, () => {
    const data = join(folder, engine);
    const { people, answers, repeated, application, gateway }: Recorded = recorded(folder, engine);
    let database: Awaited<ReturnType<typeof freshDatabase>> | undefined;
    let env: Record<string, string>;
    let cloud: Program;
    before(async () => {
      if (engine === 'postgres') database = await restored(join(data, 'dump.sql'));
      env = { DATA_DIR: join(data, 'data'), PUBLIC_URL: publicUrl, ...(database && { DATABASE_URL: database.url }) };
      cloud = await startProgram({ command: 'cloud', env, at: upgradeAt });
    });
    after(async () => {
      await cloud.stop();
      await database?.drop();
    });
    const get = (path: string, token?: string) => ask('GET', cloud.url + path, { token });

    test('is migrated, and the platform is ready', async () => {
      assert.ok(cloud.lines.some((line) => line.includes('"msg":"database migrated"')));
      assert.equal((await get('/ready')).status, 'ready');
    });

    test('people sign in with their keys, and their tokens are still valid', async () => {
      for (const { key, token } of Object.values(people)) {
        const fresh = await signIn(cloud.url, key);
        assert.deepEqual(await get('/identity/me', fresh), await get('/identity/me', token));
      }
    });

    test(`${answers.length} questions have the same answers, histories included`, async () => {
      for (const { as, path, body } of answers)
        includes(await get(path, as && people[as].token), expectedNow(path, body), `${as ?? 'nobody'}: ${path}`);
    });

    test('an application keeps its access, and can renew it', async () => {
      assert.ok((await get('/sites', application.access)).length > 0);
      const form = { grant_type: 'refresh_token', refresh_token: application.refresh };
      const { access_token } = await askForTokens(cloud.url, application, form);
      assert.ok((await get('/sites', access_token)).length > 0);
    });

    test('a creation that is repeated gets the same answer', async () => {
      const headers = { 'idempotency-key': repeated.key };
      const reply = await ask('POST', cloud.url + repeated.path, {
        token: people.ada.token,
        body: repeated.body,
        headers,
      });
      assert.deepEqual(reply, repeated.reply);
    });

    const { wire, samples } = gateway;
    const readings = async (): Promise<void> => {
      for (const { path, body } of samples) includes(await get(path, people.ada.token), body, path);
    };
    const startGateway = async (t: TestContext, folder: string, mqttUrl: string): Promise<Program> => {
      execFileSync('cp', ['-a', join(data, 'gateway'), join(data, folder)]);
      const settings = { GATEWAY_DATA_DIR: join(data, folder), UPLINK_URL: mqttUrl };
      const started = await startProgram({ command: 'gateway', env: settings, at: upgradeAt });
      t.after(() => started.stop());
      return started;
    };
    const delivered = async ({ url }: Program): Promise<void> => {
      const status = () => ask('GET', `${url}/api/status`);
      await until(status, ({ uplink }) => uplink.connected && uplink.waiting === 0);
    };

    test('a gateway of 0.1.0 connects, and its readings are stored and acknowledged', async () => {
      const expected = answersOf(wire);
      assert.ok(expected.acknowledged.length > 0);
      assert.deepEqual(await playGateway(cloud.mqttUrl, wire), expected);
      await readings();
    });

    test('a gateway that is updated keeps its identity and devices, and what it sends again is stored once', async (t) => {
      const started = await startGateway(t, 'updated-gateway', cloud.mqttUrl);
      assert.equal((await ask('GET', `${started.url}/api/crypto`)).serialNumber, gateway.serial);
      assert.equal((await ask('GET', `${started.url}/api/devices`)).count, 2);
      await delivered(started);
      await readings();
    });

    test('a gateway that is updated before its platform delivers its readings to 0.1.0', async (t) => {
      const platform = await startRecordedPlatform(wire);
      t.after(() => platform.close());
      await delivered(await startGateway(t, 'early-gateway', platform.url));
    });

    test('a later version that was started on it cannot be followed by this one, which says so', async () => {
      await cloud.stop();
      const laterMigration = "insert into migrations (name) values ('999-later')";
      if (database) await execute(database.url, laterMigration);
      else {
        using file = new DatabaseSync(join(data, 'data/cloud.db'));
        file.exec(laterMigration);
      }
      await assert.rejects(startProgram({ command: 'cloud', env, at: upgradeAt }), (error: Error) => {
        const sentence = 'was written by a newer Ohmstead (999-later). Start that version, or restore a backup.';
        assert.ok(error.message.includes(`ohmstead cloud ended with 1: The database ${sentence}`), error.message);
        assert.doesNotMatch(error.message, /^ +at /m, 'without a stack');
        return true;
      });
    });
  });
}

async function restored(dump: string): Promise<Awaited<ReturnType<typeof freshDatabase>>> {
  const database = await freshDatabase();
  await execute(database.url, readFileSync(dump, 'utf8'));
  return database;
}

async function execute(url: string, sql: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  await client.query(sql);
  await client.end();
}

/** Like deepEqual, but objects may have further fields. */
function includes(actual: unknown, expected: unknown, at: string): void {
  if (Array.isArray(expected)) {
    assert.ok(Array.isArray(actual), at);
    assert.equal(actual.length, expected.length, at);
    for (const [index, each] of expected.entries()) includes(actual[index], each, `${at}[${index}]`);
  } else if (typeof expected === 'object' && expected !== null) {
    for (const [name, each] of Object.entries(expected))
      includes((actual as Record<string, unknown> | null)?.[name], each, `${at}.${name}`);
  } else assert.deepEqual(actual, expected, at);
}
