// Makes 0.1.0.tar.br with the program of 0.1.0: npx node test/upgrade/record.ts <checkout of fb3108a7 with its packages>
import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { composeClaim } from '#contract/claim.ts';
import { formatTime, hourMs, minuteMs } from '#contract/time.ts';
import { startStreet } from '#sim/street.ts';
import { fixedHouse } from '#sim/testing/fixed-house.ts';
import { connectGateway } from '../cloud/gateway-client.ts';
import { ed25519, p256 } from '../cloud/people.ts';
import { freshDatabase } from '../services/postgres.ts';
import { binaries } from '../services/postgres-binaries.ts';
import { until } from '../until.ts';
import { ask, askForTokens, signIn } from './ask.ts';
import { endAt, pack, publicUrl, type Recorded, type Samples, setUpAt, upgradeAt } from './fixture.ts';
import { type Program, startProgram } from './program.ts';
import { recordWire } from './wire.ts';

const [checkout] = process.argv.slice(2);
if (!checkout) throw new Error('Usage: npx node test/upgrade/record.ts <checkout of 0.1.0>');

const callback = 'https://dashboard.example/callback';
const verifier = 'a-verifier-that-is-long-enough-for-everybody';
const range = `from=${formatTime(setUpAt)}&to=${formatTime(endAt)}`;
const resolutions = ['raw', '1m', '5m', '15m', '1h', '1d'];

async function record(engine: 'sqlite' | 'postgres', folder: string): Promise<void> {
  const database = engine === 'postgres' ? await freshDatabase() : undefined;
  const dataDir = join(folder, 'data');
  const settings = { DATA_DIR: dataDir, PUBLIC_URL: publicUrl, ...(database && { DATABASE_URL: database.url }) };
  const startCloud = (at: number, env = {}) =>
    startProgram({ checkout: checkout!, command: 'cloud', env: { ...settings, ...env }, at });
  const gatewayDir = join(folder, 'gateway');
  const startGateway = (at: number, mqttUrl: string) =>
    startProgram({
      checkout: checkout!,
      command: 'gateway',
      env: { GATEWAY_DATA_DIR: gatewayDir, UPLINK_URL: mqttUrl },
      at,
    });
  const street = await startStreet({
    portBase: 0,
    only: ['sungrow', 'p1-dsmr5'],
    house: fixedHouse({ pv_W: -2000, battery_W: 500 }),
  });
  const keys = { ada: ed25519(), bo: ed25519(), cleo: ed25519() };
  const far = p256(); // a gateway that is only its messages

  // The first day.
  let cloud = await startCloud(setUpAt);
  const post = (path: string, token: string, body: unknown, headers = {}) =>
    ask('POST', cloud.url + path, { token, body, headers });
  const tokens: Record<string, string> = {};
  const ids: Record<string, string> = {};
  for (const [name, key] of Object.entries(keys)) {
    const body = { public_key: key.publicKey, name: `${name[0]!.toUpperCase()}${name.slice(1)}` };
    ids[name] = (await ask('POST', `${cloud.url}/identity/register`, { body })).identity_id;
    tokens[name] = await signIn(cloud.url, key.privateKey);
  }
  const ada = tokens.ada!;
  const home = (await post('/organizations', ada, { name: 'Home' })).id;
  await post('/organizations', tokens.bo!, { name: 'Bo & söner' });
  await post(`/organizations/${home}/members`, ada, { identity_id: ids.bo, role: 'operator' });
  await post(`/organizations/${home}/members`, ada, { identity_id: ids.cleo, role: 'viewer' });
  const house = (await post('/sites', ada, { org_id: home, name: 'Huset', latitude: 59.3293, longitude: 18.0686 })).id;
  const cabin = (
    await post('/sites', ada, {
      org_id: home,
      name: 'Stugan',
      latitude: 63.4,
      longitude: 13.08,
      timezone: 'Europe/Stockholm',
    })
  ).id;

  // A real gateway with two simulated devices.
  let gateway = await startGateway(setUpAt, cloud.mqttUrl);
  for (const { connection } of street.players) await ask('POST', `${gateway.url}/api/devices`, { body: connection });
  const { devices } = await ask('GET', `${gateway.url}/api/devices`);
  const { serialNumber: serial, publicKey } = await ask('GET', `${gateway.url}/api/crypto`);
  const { sign, message } = await ask('POST', `${gateway.url}/api/crypto/sign`, { body: { message: ids.ada } });
  const claim = { org_id: home, gateway_serial: serial, public_key: publicKey, message, signature: sign };
  await post('/gateways/claim', ada, claim);
  const ders: string[] = [];
  for (const { sn, ders: kinds } of devices) {
    const enabled = kinds.map(({ type }: { type: string }) => ({ type, enabled: true }));
    await ask('POST', `${gateway.url}/api/devices/${sn}/ders`, { body: { ders: enabled } });
    const device = await post('/devices/provision', ada, {
      gateway_serial: serial,
      hardware_id: sn,
      device_type: sn === 'p1_meter' ? 'energy_meter' : 'inverter',
      site_id: house,
      ders: kinds.map(({ type }: { type: string }) => ({ name: type, type: typeOf(type) })),
    });
    ders.push(...device.ders.map(({ id }: { id: string }) => id));
  }
  await gateway.stop();

  // Another that sends days of readings later, when it is back.
  const text = composeClaim({
    claimerId: ids.ada!,
    nonce: 'a1b2c3',
    timestamp: formatTime(setUpAt),
    serial: far.serial,
  });
  await post('/gateways/claim', ada, {
    org_id: home,
    gateway_serial: far.serial,
    public_key: far.publicKey,
    message: text,
    signature: far.sign(text),
  });
  const remote = await post('/devices/provision', ada, {
    gateway_serial: far.serial,
    hardware_id: 'INV-1',
    device_type: 'inverter',
    site_id: cabin,
    manufacturer: 'Acme',
    model: 'H8',
    ders: ['solar', 'battery', 'meter'].map((type) => ({ name: type, type })),
  });
  await cloud.stop();

  // The last day: readings of three days, of which the platform seals what is complete.
  const beforeEnd = endAt - 3 * minuteMs;
  cloud = await startCloud(beforeEnd);
  const client = await connectGateway(cloud.mqttUrl, far, beforeEnd);
  const readings: Promise<void>[] = [];
  for (let at = setUpAt + 10 * minuteMs, n = 0; at < beforeEnd; at += stepMs(at), n++) {
    const pv = Math.round(Math.max(0, Math.sin(((at / hourMs - 6) / 12) * Math.PI)) * 5000);
    const common = { timestamp: at, Hz: 50 + (n % 7) / 100 };
    readings.push(
      client.report('INV-1', 'solar', { ...common, type: 'pv', W: -pv, total_generation_Wh: 1e6 + n * 40 }),
      client.report('INV-1', 'battery', {
        ...common,
        type: 'battery',
        W: (n % 60) * 10,
        SoC_nom_fract: (n % 100) / 100,
      }),
      client.report('INV-1', 'meter', {
        ...common,
        type: 'meter',
        W: 400 - pv + (n % 60) * 10,
        total_import_Wh: 5e6 + n * 3,
        note: 'å "x"',
      }),
    );
    if (n % 200 === 0) await Promise.all(readings);
  }
  await Promise.all(readings);
  await client.endAsync();
  await sleep(70_000); // hours that are complete are sealed every minute
  for (const name of ['ada', 'bo', 'cleo'] as const) tokens[name] = await signIn(cloud.url, keys[name].privateKey);
  await ask('PUT', `${cloud.url}/devices/${remote.id}`, { token: tokens.ada, body: { name: 'Växelriktaren' } });
  const battery = remote.ders.find(({ type }: { type: string }) => type === 'battery').id;
  await post(`/ders/${battery}/commands`, tokens.ada!, { power_w: 1000, ttl_s: 60 }).catch((error) =>
    console.log(`${error}`),
  );
  const application = await authorize(cloud, tokens.ada!, home);
  const repeated = { key: 'upgrade-1', path: '/sites', body: { org_id: home, name: 'Bryggan' } };
  const reply = await post(repeated.path, tokens.ada!, repeated.body, { 'idempotency-key': repeated.key });

  // The real gateway, until the platform is gone.
  gateway = await startGateway(endAt - minuteMs, cloud.mqttUrl);
  await until(
    async () => (await ask('GET', `${cloud.url}/ders/${ders.at(-1)}`, { token: tokens.ada })).latest !== null,
    Boolean,
    60_000,
  );
  await cloud.stop();
  await sleep(15_000);
  await gateway.stop();
  await street.close();

  // The answers of 0.1.0 before it has received the readings that this gateway still has.
  cloud = await startCloud(upgradeAt);
  const answers: Recorded['answers'] = [];
  const get = async (path: string, as?: 'ada' | 'bo' | 'cleo') => {
    const body = await ask('GET', cloud.url + path, { token: as && tokens[as] });
    answers.push({ ...(as && { as }), path, body });
    return body;
  };
  for (const name of ['ada', 'bo', 'cleo'] as const)
    for (const path of ['/identity/me', '/organizations', '/sites', '/gateways']) await get(path, name);
  for (const path of [`/organizations/${home}`, `/organizations/${home}/members`, `/organizations/${home}/audit`])
    await get(path, 'ada');
  for (const path of [`/organizations/${home}/oauth-clients`, '/identity/consents', '/oauth/userinfo'])
    await get(path, 'ada');
  for (const site of [house, cabin]) {
    await get(`/sites/${site}`, 'cleo');
    await get(`/sites/${site}/devices`, 'bo');
  }
  for (const resolution of resolutions)
    await get(`/sites/${cabin}/telemetry?${range}&resolution=${resolution}`, 'cleo');
  for (const each of [serial, far.serial]) await get(`/gateways/${each}`, 'ada');
  await get(`/devices/${remote.id}`, 'cleo');
  for (const { id } of remote.ders) {
    await get(`/ders/${id}`, 'ada');
    await get(`/ders/${id}/commands`, 'ada');
    for (const resolution of resolutions) await get(`/ders/${id}/telemetry?${range}&resolution=${resolution}`, 'ada');
    await get(`/ders/${id}/telemetry?${range}&resolution=1h&format=csv`, 'bo');
  }
  for (const path of ['/public/cells', '/public/der-types', '/public/device-types', '/public/telemetry-fields'])
    await get(path);
  for (const path of ['/.well-known/jwks.json', '/.well-known/openid-configuration']) await get(path);
  await cloud.stop();

  if (database) {
    const dump = ['--inserts', '--no-owner', '--rows-per-insert=500', '--dbname', database.url];
    const sql = execFileSync(join(binaries()!, 'pg_dump'), dump, { encoding: 'utf8', maxBuffer: 1e9 });
    writeFileSync(join(folder, 'dump.sql'), sql.replaceAll(/^\\.*$/gm, '')); // commands of psql
  }
  for (const name of ['lock', 'price']) rmSync(join(dataDir, name), { recursive: true, force: true });
  const kept = mkdtempSync(join(tmpdir(), 'ohmstead-kept-'));
  cpSync(folder, kept, { recursive: true });

  // The readings that 0.1.0 has after the gateway is back. Its data is not kept.
  cloud = await startCloud(upgradeAt);
  const proxy = await recordWire(cloud.mqttUrl);
  gateway = await startGateway(upgradeAt, proxy.url);
  await until(async () => (await ask('GET', `${gateway.url}/api/status`)).uplink.waiting === 0, Boolean, 60_000);
  const samples: Samples[] = [];
  const during = `from=${formatTime(endAt - 10 * minuteMs)}&to=${formatTime(endAt + 10 * minuteMs)}&resolution=raw`;
  for (const der of ders) {
    const path = `/ders/${der}/telemetry?${during}`;
    samples.push({ path, body: await ask('GET', cloud.url + path, { token: tokens.ada }) });
  }
  await gateway.stop();
  proxy.close();
  await cloud.stop();
  await database?.drop();
  const pem = (name: 'ada' | 'bo' | 'cleo') => ({
    key: keys[name].privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    token: tokens[name]!,
  });
  const all: Recorded = {
    people: { ada: pem('ada'), bo: pem('bo'), cleo: pem('cleo') },
    answers,
    repeated: { ...repeated, reply },
    application,
    gateway: { serial, samples, wire: proxy.wire() },
  };
  const counts = samples.map(({ body }) => (body as { points: unknown[] }).points.length);
  console.log(engine, 'readings of the gateway:', counts);
  rmSync(folder, { recursive: true });
  cpSync(kept, folder, { recursive: true });
  writeFileSync(join(folder, 'recorded.json'), JSON.stringify(all));
}

/** Lets an application act for a person. */
async function authorize(cloud: Program, token: string, org_id: string): Promise<Recorded['application']> {
  const registered = await ask('POST', `${cloud.url}/organizations/${org_id}/oauth-clients`, {
    token,
    body: { name: 'Dashboard', redirect_uris: [callback], confidential: true },
  });
  const application = { id: registered.client_id, secret: registered.client_secret };
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: application.id,
    redirect_uri: callback,
    scope: 'openid profile offline_access read:sites read:telemetry',
    state: 'state',
    code_challenge: hash('sha256', verifier, 'base64url'),
    code_challenge_method: 'S256',
  });
  const begun = await fetch(`${cloud.url}/oauth/authorize?${query.toString()}`, { redirect: 'manual' });
  const cookie = begun.headers
    .getSetCookie()
    .map((each) => each.split(';', 1)[0])
    .join('; ');
  const request = new URL(begun.headers.get('location')!, publicUrl).searchParams.get('request');
  const body = { request, allow: true, org_ids: [org_id] };
  const { redirect_to } = await ask('POST', `${cloud.url}/oauth/authorize/complete`, {
    token,
    body,
    headers: { cookie },
  });
  const { pathname, search } = new URL(redirect_to, publicUrl);
  const back = await fetch(cloud.url + pathname + search, { redirect: 'manual', headers: { cookie } });
  const code = new URL(back.headers.get('location')!).searchParams.get('code')!;
  const form = { grant_type: 'authorization_code', code, redirect_uri: callback, code_verifier: verifier };
  const { access_token, refresh_token } = await askForTokens(cloud.url, application, form);
  return { ...application, access: access_token, refresh: refresh_token };
}

/** Every minute in the first and the last hours, to keep the data small. */
const stepMs = (at: number): number =>
  at < setUpAt + 4 * hourMs || at > endAt - 3 * hourMs ? minuteMs : 10 * minuteMs;

const typeOf = (kind: string): string => (kind === 'pv' ? 'solar' : kind);

process.umask(0o077); // keys of the gateway that others can read are refused
const work = mkdtempSync(join(tmpdir(), 'ohmstead-record-'));
for (const engine of ['sqlite', 'postgres'] as const) await record(engine, join(work, engine));
execFileSync('tar', ['--sort=name', '--owner=0', '--group=0', '-cf', 'data.tar', 'sqlite', 'postgres'], { cwd: work });
pack(join(work, 'data.tar'));
rmSync(work, { recursive: true });
process.exit(); // the private PostgreSQL server ends with this process
