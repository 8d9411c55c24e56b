import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { createServer as createTcpServer, type Server } from 'node:net';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { freePort } from '#test/free-port.ts';
import { listenOnLoopback } from '#test/listen-on-loopback.ts';
import { postgresMissing, startPostgres } from '#test/services/postgres.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import type { Finding, Level } from '../doctor/finding.ts';
import { runCli, runCloud, spawnCli } from '../testing/child-process.ts';
import { runInProcess } from '../testing/in-process.ts';
import { openPlatform } from '../testing/people.ts';

const mostMs = 6000;

type Env = Record<string, string>;

/** An environment in which nothing of the machine is met by chance. */
async function emptyMachine(t: TestContext): Promise<Env & { DATA_DIR: string }> {
  const folder = temporaryFolder(t);
  const names = ['CLOUD_PORT', 'GATEWAY_PORT', 'PRICE_PORT', 'MQTT_PORT'];
  const ports = await Promise.all(names.map(async (name) => [name, String(await freePort())]));
  const data = join(folder, 'data');
  return {
    ...Object.fromEntries(ports),
    DATA_DIR: data,
    GATEWAY_DATA_DIR: join(data, 'gateway'),
    OHMSTEAD_CONFIG_DIR: join(folder, 'config'),
    MDNS: 'false',
  };
}

type Examined = { code: number | null; findings: Finding[]; text: string; tookMs: number };

async function examine(env: Env): Promise<Examined> {
  const began = performance.now();
  const { code, out, err } = await runInProcess(['doctor', '--json'], env);
  assert.equal(err, '');
  const { ok, findings } = JSON.parse(out) as { ok: boolean; findings: Finding[] };
  assert.equal(ok, code === 0);
  assert.equal(code, findings.some(({ level }) => level === 'problem') ? 1 : 0);
  for (const { level, next } of findings) assert.equal(level === 'ok', next === undefined);
  return { code, findings, text: out, tookMs: performance.now() - began };
}

const levelOf = ({ findings }: Examined, about: string): Level | undefined =>
  findings.find((finding) => finding.about === about)?.level;

async function listening(t: TestContext, server: Server): Promise<number> {
  const port = await listenOnLoopback(server);
  t.after(() => server.close());
  return port;
}

const webServer = async (t: TestContext, answer: RequestListener): Promise<string> => {
  const server = createServer(answer);
  t.after(() => server.closeAllConnections());
  return `http://127.0.0.1:${await listening(t, server)}`;
};

suite('ohmstead doctor', () => {
  test('tells on a machine where nothing runs what to start, and finds no problem', async (t) => {
    const examined = await examine(await emptyMachine(t));
    assert.equal(examined.code, 0, examined.text);
    const started = examined.findings.filter(({ level }) => level === 'warning');
    assert.deepEqual(
      started.map(({ about }) => about),
      ['platform', 'broker', 'gateway'],
    );
    assert.match(started[0]!.next!, /ohmstead cloud/);
    assert.match(started[2]!.next!, /ohmstead gateway/);
  });

  test('finds what runs, by the configuration file too', async (t) => {
    const env = await emptyMachine(t);
    await runCloud(t, env);
    const { child } = spawnCli(['gateway'], { ...env, UPLINK_URL: `mqtt://localhost:${env.MQTT_PORT}` });
    t.after(() => child.kill('SIGKILL'));
    await once(child.stdout!, 'data');
    const file = join(env.DATA_DIR, 'o.yaml');
    writeFileSync(file, `cloud:\n  cloud_port: ${env.CLOUD_PORT}\n  mqtt_port: ${env.MQTT_PORT}\n`, { mode: 0o600 });
    const { CLOUD_PORT: _, MQTT_PORT: __, ...rest } = env;
    const until = performance.now() + 10_000;
    for (;;) {
      const examined = await examine({ ...rest, OHMSTEAD_CONFIG: file });
      const levels = ['platform', 'broker', 'database', 'ports', 'clock', 'gateway'].map((about) =>
        levelOf(examined, about),
      );
      // The gateway is not claimed, so the broker refuses it.
      const isAsExpected = levels.join() === 'ok,ok,ok,ok,ok,warning';
      if (isAsExpected || performance.now() > until) {
        assert.ok(isAsExpected, examined.text);
        assert.match(examined.text, /The gateway ohm-[0-9a-f]{16} answers/);
        break;
      }
    }
  });

  for (const { says, env, about, level, pattern } of [
    {
      says: 'a setting that is wrong',
      env: { RAW_DAYS: 'x' },
      about: 'configuration',
      level: 'problem',
      pattern: /RAW_DAYS is .*config check/s,
    },
    {
      says: 'a configuration file that is missing',
      env: { OHMSTEAD_CONFIG: '/none.yaml' },
      about: 'configuration',
      level: 'problem',
      pattern: /Cannot read .*none\.yaml/,
    },
    {
      says: 'a platform that is not there',
      env: { CLOUD_URL: 'http://127.0.0.1:2' },
      about: 'platform',
      level: 'problem',
      pattern: /127\.0\.0\.1:2: connection refused.*CLOUD_URL/s,
    },
    {
      says: 'a broker that is not there',
      env: { UPLINK_URL: 'mqtt://me:hunter2@127.0.0.1:2' },
      about: 'broker',
      level: 'problem',
      pattern: /mqtt:\/\/127\.0\.0\.1:2: connection refused.*UPLINK_URL/s,
    },
    {
      says: 'a RabbitMQ that is not there',
      env: {
        BROKER_URL: 'amqp://me:hunter2@127.0.0.1:2',
        BROKER_MANAGEMENT_URL: 'http://127.0.0.1:2',
        INTERNAL_TOKEN: 'what RabbitMQ brings along',
      },
      about: 'broker',
      level: 'problem',
      pattern: /RabbitMQ at amqp:\/\/127\.0\.0\.1:2 cannot be used: connection refused/,
    },
    {
      says: 'a PostgreSQL that is not there',
      env: { DATABASE_URL: 'postgres://me:hunter2@127.0.0.1:2/energy' },
      about: 'database',
      level: 'problem',
      pattern: /Cannot use PostgreSQL at 127\.0\.0\.1:2\/energy: connection refused/,
    },
    {
      says: 'a data folder that cannot be made',
      env: { DATA_DIR: '/dev/null/data' },
      about: 'data folder',
      level: 'problem',
      pattern: /Cannot create .*: permission denied.*DATA_DIR/s,
    },
    {
      says: 'a serial line that is not plugged in',
      env: { GATEWAY_P1_PORT: '/dev/ttyUSB77' },
      about: 'serial lines',
      level: 'problem',
      pattern: /ttyUSB77 \(GATEWAY_P1_PORT\) is not a serial line/,
    },
    {
      says: 'an adapter in the network that is not there',
      env: { GATEWAY_RS485_PORT: 'tcp://127.0.0.1:2' },
      about: 'serial lines',
      level: 'problem',
      pattern: /Cannot reach an adapter at tcp:\/\/127\.0\.0\.1:2/,
    },
    {
      says: 'a price source that is not there',
      env: { ENTSOE_TOKEN: 'hunter2', ENTSOE_URL: 'http://127.0.0.1:2/api' },
      about: 'prices',
      level: 'problem',
      pattern: /Cannot reach ENTSO-E at 127\.0\.0\.1:2: connection refused/,
    },
    {
      says: 'that no price source is enabled',
      env: { PRICE_KEYLESS: 'false' },
      about: 'prices',
      level: 'warning',
      pattern: /No price source is enabled.*ENTSOE_TOKEN/s,
    },
  ] as const) {
    test(`finds ${says}, and shows no secret`, async (t) => {
      const examined = await examine({ ...(await emptyMachine(t)), ...env });
      assert.equal(levelOf(examined, about), level, examined.text);
      assert.match(examined.text, pattern);
      assert.doesNotMatch(examined.text, /hunter2/);
      assert.ok(examined.tookMs < mostMs);
    });
  }

  test('tells whether this machine takes part in mDNS, which is never more than a warning', async (t) => {
    const examined = await examine({ ...(await emptyMachine(t)), MDNS: 'true' });
    assert.notEqual(levelOf(examined, 'mDNS'), 'problem');
    assert.match(examined.text, /receives mDNS|does not receive its own mDNS query|cannot join the mDNS group/);
  });

  test('finds a port that another program holds', async (t) => {
    const port = await listening(
      t,
      createTcpServer((socket) => socket.on('error', () => {}).end('220 mail\r\n')), // the client may disconnect first
    );
    const examined = await examine({ ...(await emptyMachine(t)), GATEWAY_PORT: String(port) });
    assert.match(examined.text, new RegExp(`Port ${port} \\(GATEWAY_PORT\\) is used by another program`));
    assert.equal(levelOf(examined, 'ports'), 'problem');
  });

  test('finds a management interface of RabbitMQ that refuses the sign-in', async (t) => {
    const right = `Basic ${Buffer.from('me:hunter2').toString('base64')}`;
    const management = await webServer(t, ({ headers }, reply) => {
      reply.writeHead(headers.authorization === right ? 200 : 401).end('{}');
    });
    const env = {
      ...(await emptyMachine(t)),
      BROKER_URL: 'amqp://127.0.0.1:2',
      INTERNAL_TOKEN: 'what RabbitMQ brings along',
    };
    const withPassword = (password: string): string => management.replace('//', `//me:${password}@`);
    const refused = await examine({ ...env, BROKER_MANAGEMENT_URL: withPassword('wrong') });
    assert.match(
      refused.text,
      /The management interface of RabbitMQ at \S+ cannot be used: it rejects the credentials\./,
    );
    assert.match(refused.text, /correct BROKER_MANAGEMENT_URL/);
    const taken = await examine({ ...env, BROKER_MANAGEMENT_URL: withPassword('hunter2') });
    assert.match(taken.text, /The management interface of RabbitMQ at \S+ answers and accepts the credentials\./);
    assert.doesNotMatch(taken.text + refused.text, /hunter2|wrong/);
  });

  test('looks at the platform where somebody is signed in, instead of this machine', async (t) => {
    const env = await emptyMachine(t);
    const platform = await openPlatform();
    t.after(() => platform.close());
    assert.equal((await runInProcess(['login', platform.url], env)).code, 0);
    const examined = await examine(env);
    const about = (subject: string) => examined.findings.filter((finding) => finding.about === subject);
    const [found, ...others] = about('platform');
    assert.deepEqual([found!.level, others], ['warning', []], examined.text); // it is of another version
    assert.ok(found!.says.startsWith(`The platform at ${platform.url} is ready.`), found!.says);
    assert.match(about('clock')[0]!.says, new RegExp(`that of ${platform.url}`));
    assert.deepEqual(
      about('broker').map(({ says }) => says),
      [`No broker runs on this machine; the platform at ${platform.url} has its own.`],
    );

    const named = await examine({ ...env, OHMSTEAD_URL: 'http://127.0.0.1:1' });
    const problem = named.findings.find(({ about: subject }) => subject === 'platform')!;
    assert.equal(problem.level, 'problem');
    assert.match(`${problem.says} ${problem.next}`, /at http:\/\/127\.0\.0\.1:1: .*ohmstead login <url>/);

    const both = await examine({ ...env, CLOUD_URL: 'http://127.0.0.1:1' });
    assert.deepEqual(
      both.findings.filter(({ about: subject }) => subject === 'platform').map(({ level }) => level),
      ['problem', 'warning'],
    );
  });

  test('finds a platform that is another program, or is silent, in time', async (t) => {
    const env = await emptyMachine(t);
    const other = await webServer(t, (_, reply) => reply.end('<html>'));
    assert.match((await examine({ ...env, CLOUD_URL: other })).text, /The program at .* is not Ohmstead/);
    const silent = await webServer(t, () => {});
    const { text, tookMs } = await examine({ ...env, CLOUD_URL: silent, PRICE_SIMULATED_URL: silent });
    assert.match(text, /Cannot reach a platform at .*: timed out\./);
    assert.match(text, /Cannot reach .*simulated market at .*: timed out\./);
    assert.ok(tookMs < mostMs, `took ${tookMs} ms`);
  });

  test('knows a platform behind a proxy that keeps its health inside, and one whose proxy is alone', async (t) => {
    const env = await emptyMachine(t);
    const { url, stop } = await runCloud(t, env);
    const proxy = await webServer(t, ({ url: path }, reply) => {
      const isInside = /^\/(internal|metrics|health|ready)/.test(path!);
      const passed = isInside ? Promise.resolve(new Response('<html>', { status: 404 })) : fetch(`${url}${path}`);
      void passed
        .catch(() => new Response('<html>', { status: 502 }))
        .then(async (answer) => reply.writeHead(answer.status).end(await answer.text()));
    });
    const gatewayAtHome = { ...(await emptyMachine(t)), CLOUD_URL: proxy };
    const behind = await examine(gatewayAtHome);
    assert.equal(levelOf(behind, 'platform'), 'ok', behind.text);
    assert.match(behind.text, /The platform at \S+ answers, version /);
    assert.match(behind.text, /The clock agrees with that of /);
    assert.match((await examine({ ...env, PUBLIC_URL: proxy })).text, /It also answers at its public address/);

    await stop();
    assert.match((await examine(gatewayAtHome)).text, /Cannot reach a platform at \S+: its proxy returns status 502\./);
  });

  test('finds a clock that differs from that of the platform, and a platform that is not ready', async (t) => {
    const url = await webServer(t, ({ url }, reply) => {
      reply.setHeader('date', new Date(Date.now() - 3_600_000).toUTCString());
      const isReady = url === '/ready';
      const body = isReady
        ? { status: 'unavailable', reasons: ['The database does not answer.'] }
        : { status: 'healthy', version: '0.0.1', uptime_seconds: 1 };
      reply.end(JSON.stringify(body));
    });
    const examined = await examine({ ...(await emptyMachine(t)), CLOUD_URL: url });
    assert.equal(levelOf(examined, 'clock'), 'problem');
    assert.match(examined.text, /The clock differs by 3(599|600) s from/);
    assert.match(examined.text, /is not ready: The database does not answer\./);
  });

  test('finds a damaged database and a folder that is open to others', async (t) => {
    const env = await emptyMachine(t);
    mkdirSync(env.DATA_DIR);
    chmodSync(env.DATA_DIR, 0o755);
    writeFileSync(join(env.DATA_DIR, 'cloud.db'), 'this is not a database, '.repeat(1000));
    const examined = await examine(env);
    assert.equal(levelOf(examined, 'database'), 'problem');
    assert.match(examined.text, /cloud\.db is damaged.*ohmstead restore/s);
    assert.match(examined.text, /other users can read it \(mode 755\).*chmod 700/s);
  });

  for (const { disk, type, bavail, level, pattern } of [
    {
      disk: 'on memory, and would be empty after a restart',
      type: 0x01021994,
      level: 'warning',
      pattern: /It is a memory file system.*Set DATA_DIR to a folder on a persistent disk/s,
    },
    {
      disk: 'on an overlay, and may be empty after a restart',
      type: 0x794c7630,
      level: 'warning',
      pattern: /It is an overlay.*Mount a disk.*recurse=0/s,
    },
    {
      disk: 'on memory that is full',
      type: 0x01021994,
      bavail: 0,
      level: 'problem',
      pattern: /has 0 MB of free disk space.*Free up space/s,
    },
  ]) {
    test(`finds a folder that is ${disk}`, async (t) => {
      const env = await emptyMachine(t);
      mkdirSync(env.DATA_DIR, { mode: 0o700 });
      const found = Object.assign(await fs.statfs(env.DATA_DIR), { type }, bavail === 0 && { bavail });
      const pretending = t.mock.method(fs, 'statfs', async () => found);
      syncBuiltinESMExports(); // for those who import it by name
      const examined = await examine(env).finally(() => {
        pretending.mock.restore();
        syncBuiltinESMExports();
      });
      assert.equal(levelOf(examined, 'data folder'), level);
      assert.match(examined.text, pattern);
    });
  }

  test('asks the price sources that are configured, and without any no stranger at all', async (t) => {
    let asked = 0;
    const url = await webServer(t, (_, reply) => {
      asked++;
      reply.writeHead(401).end();
    });
    const env = await emptyMachine(t);
    const sources = { ENTSOE_TOKEN: 'x', ENTSOE_URL: url, PRICE_SOURCE_URLS: `energy_charts=${url}` };
    const { findings } = await examine({ ...env, ...sources });
    const told = findings.filter(({ about }) => about === 'prices').map(({ level }) => level);
    assert.deepEqual([told, asked], [['ok', 'ok'], 2]);

    const watch = `import dns from 'node:dns'; import net from 'node:net'; const { lookup } = dns; const { connect } = net.Socket.prototype;
      dns.lookup = (name, ...rest) => { if (name !== 'localhost' && !net.isIP(name)) console.error('looked up', name); return lookup(name, ...rest); };
      net.Socket.prototype.connect = function (...args) { const [options] = [args[0]].flat(2); const to = options?.host ?? 'localhost';
        if (!/^(localhost|127|::1)/.test(to)) console.error('connected to', to); return connect.apply(this, args); };`;
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(watch)}`;
    const { out, err } = await runCli(['doctor', '--json'], { ...env, NODE_OPTIONS });
    assert.match(out, /No price source is configured\. .* they were not checked/);
    assert.equal(err, '');
    const named = await runCli(['doctor'], { ...env, NODE_OPTIONS, CLOUD_URL: 'http://192.0.2.1' });
    assert.match(named.err, /192\.0\.2\.1/, 'the watch would have seen it');
  });

  test('tells the version of PostgreSQL, and that it refuses a sign-in', { skip: postgresMissing() }, async (t) => {
    const postgres = await startPostgres();
    t.after(() => postgres.stop());
    const env = await emptyMachine(t);
    const well = await examine({ ...env, DATABASE_URL: postgres.url() });
    assert.match(well.text, /PostgreSQL at \S+ answers, version \d+/);
    const wrong = new URL(postgres.url());
    wrong.pathname = '/nowhere';
    const refused = await examine({ ...env, DATABASE_URL: wrong.href });
    assert.match(refused.text, /Cannot use .*nowhere.* does not exist/);
  });

  test('prints a line for a finding and one for what to do next', async (t) => {
    const { code, out } = await runInProcess(['doctor'], await emptyMachine(t));
    assert.equal(code, 0);
    assert.match(out, /^ok +Node\.js +Node\.js is 24/m);
    assert.match(out, /^warning +platform +Cannot reach a platform .*\n +-> Start one with ohmstead cloud/m);
    assert.match(out, /\n\n3 warnings\.\n$/);
  });
});
