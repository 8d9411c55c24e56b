import '../check-replies.ts';
import { randomBytes } from 'node:crypto';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { createCloud } from '#cloud/app.ts';
import { type BillCalculator, noCalculator } from '#cloud/bill/bill-calculator.ts';
import { openTransport } from '#cloud/broker/open-transport.ts';
import { CloudConfig } from '#cloud/config.ts';
import { openStore, type Store } from '#cloud/store/store.ts';
import { openTelemetry } from '#cloud/store/telemetry/open.ts';
import type { Role } from '#contract/access.ts';
import { composeClaim } from '#contract/claim.ts';
import { dayMs, formatTime } from '#contract/time.ts';
import { readConfig } from '#lib/config.ts';
import { createLog } from '#lib/log.ts';
import { createFakeClock } from '../fake-clock.ts';
import { freshDatabase, postgresMissing, type Template } from '../services/postgres.ts';
import { ed25519, type GatewaySigner, p256, type Signer } from './people.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
export type Reply = { status: number; body: any; headers: Record<string, string | undefined> };

export type Person = Signer & { id: string; token: string };

export type EngineName = 'sqlite' | 'postgres';

/** Each engine, with the reason why it is unavailable here, if any. */
export const engines: { engine: EngineName; skip: string | false }[] = [
  { engine: 'sqlite', skip: false },
  { engine: 'postgres', skip: postgresMissing() },
];

type CloudOptions = {
  engine?: EngineName;
  env?: Record<string, string>;
  /** a database of the test instead of a new one */
  databaseUrl?: string;
  /** calculates bills; by default with a spot price of 1 SEK, null for none */
  calculator?: BillCalculator | null;
  /** addresses of gateways on this machine */
  ownGateways?: () => string[];
  /** how clients reach it, if that matters */
  baseUrl?: () => string;
};

export type TestCloud = Awaited<ReturnType<typeof openCloud>>;

const retention = { rawMs: 30 * dayMs, minutesMs: 365 * dayMs, hoursMs: Number.POSITIVE_INFINITY };

export const internalToken = 'the internal secret of the tests';

const silentLog = createLog({ level: 'silent', name: 'test' });

/** Migrating costs three times as much as copying. */
const migrated: Template = {
  name: 'migrated',
  fill: async (databaseUrl) => (await openStore({ dataDir: '', databaseUrl, log: silentLog })).close(),
};

const constantPrices: BillCalculator = {
  ...noCalculator,
  async bill(body) {
    const { knownCalculator } = await import('../price/known-calculator.ts'); // few tests need it
    return knownCalculator({ spot: () => 100 }).bill(body);
  },
  async prices(query) {
    const { knownCalculator } = await import('../price/known-calculator.ts');
    return knownCalculator({ spot: () => 100 }).prices(query);
  },
  async marginalPrice(body) {
    const { knownCalculator } = await import('../price/known-calculator.ts');
    return knownCalculator({ spot: () => 100 }).marginalPrice(body);
  },
};

/** A whole platform in this process, on its own database and a fake clock. */
export async function openCloud(options: CloudOptions = {}) {
  const { engine = 'sqlite', env = {}, databaseUrl, baseUrl, ownGateways, calculator = constantPrices } = options;
  const clock = createFakeClock(Date.parse('2026-06-01T12:00:00Z'));
  const log = silentLog;
  const { path: dataDir, remove } = await mkdtempDisposable(join(tmpdir(), 'ohmstead-'));
  const database = engine === 'postgres' && !databaseUrl ? await freshDatabase(migrated) : undefined;
  const store: Store = await openStore({ dataDir, databaseUrl: databaseUrl ?? database?.url, log });
  const config = readConfig(CloudConfig, {
    MQTT_PORT: '0',
    RATE_REGISTER: '1000000',
    RATE_LOGIN: '1000000',
    RATE_CLAIM: '1000000',
    RATE_ALERTS: '1000000',
    ...env,
  });
  const place = { dataDir, databaseUrl: databaseUrl ?? database?.url };
  const telemetry = await openTelemetry({ ...place, partitions: 2, retention, log });
  const { app, transport, start, stop } = await createCloud(config, {
    store,
    telemetry,
    openTransport: (admission) => openTransport(config, admission, { mayMove: false, store, clock, log }),
    internalToken: () => internalToken,
    clock,
    log,
    version: '0.0.0',
    calculator: calculator ?? undefined,
    ownGateways,
    baseUrl: baseUrl ?? (() => 'http://cloud.test'),
  });
  await app.ready();

  return {
    ...journeys(app, clock),
    app,
    clock,
    store,
    telemetry,
    transport,
    start,
    async close() {
      await stop();
      await app.close();
      await telemetry.close();
      await store.close();
      await database?.drop();
      await remove();
    },
  };
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'OPTIONS';

type Call = { as?: Person | undefined; body?: unknown; headers?: Record<string, string> };

/** The steps that tests are written in. */
function journeys(app: FastifyInstance, clock: { now(): number }) {
  async function call(method: Method, url: string, { as, body, headers = {} }: Call = {}): Promise<Reply> {
    const request = {
      method,
      url,
      headers: { ...(as && { authorization: `Bearer ${as.token}` }), ...headers },
      ...(body !== undefined && { payload: body as object }),
    };
    if (isStream(url)) return openStream(app, request);
    const reply = await app.inject(request);
    const isJson = String(reply.headers['content-type']).includes('json');
    return {
      status: reply.statusCode,
      body: isJson ? reply.json() : reply.body,
      headers: reply.headers as Reply['headers'],
    };
  }

  async function signIn(signer: Signer): Promise<string> {
    const { challenge } = await expectStatus(
      200,
      call('POST', '/auth/challenge', { body: { public_key: signer.publicKey } }),
    );
    const body = { public_key: signer.publicKey, challenge, signature: signer.sign(challenge) };
    return (await expectStatus(200, call('POST', '/auth/verify', { body }))).token;
  }

  async function person(
    type?: string,
    signer: Signer = type === 'gateway' ? p256() : ed25519(),
    name?: string,
  ): Promise<Person> {
    const body = { public_key: signer.publicKey, ...(type && { type }), ...(name && { name }) };
    const { identity_id } = await expectStatus(201, call('POST', '/identity/register', { body }));
    return { ...signer, id: identity_id, token: await signIn(signer) };
  }

  const organization = async (as: Person, name = 'Home'): Promise<string> =>
    (await expectStatus(201, call('POST', '/organizations', { as, body: { name } }))).id;

  /** Returns the secret in the link. */
  const invite = async (as: Person, orgId: string, role: Role): Promise<string> => {
    const { url } = await expectStatus(
      201,
      call('POST', `/organizations/${orgId}/invitations`, { as, body: { role } }),
    );
    return url.split('/').at(-1);
  };

  const member = async (as: Person, orgId: string, role: Role): Promise<Person> => {
    const invited = await person();
    await expectStatus(200, call('POST', `/invitations/${await invite(as, orgId, role)}/accept`, { as: invited }));
    return invited;
  };

  const site = async (as: Person, orgId: string, place: object = {}): Promise<string> =>
    (await expectStatus(201, call('POST', '/sites', { as, body: { org_id: orgId, name: 'House', ...place } }))).id;

  /** A valid claim, of which a test changes one word. */
  function claimOf(
    as: Person,
    orgId: string,
    gateway: GatewaySigner,
    changes: { message?: string; atMs?: number } = {},
  ) {
    const nonce = randomBytes(6).toString('hex');
    const timestamp = formatTime(changes.atMs ?? clock.now());
    const usual = composeClaim({ claimerId: as.id, nonce, timestamp, serial: gateway.serial });
    const message = changes.message ?? usual;
    return {
      org_id: orgId,
      gateway_serial: gateway.serial,
      public_key: gateway.publicKey,
      message,
      signature: gateway.sign(message),
    };
  }

  const claim = async (as: Person, orgId: string, gateway: GatewaySigner = p256()): Promise<GatewaySigner> => {
    const { status, body } = await call('POST', '/gateways/claim', { as, body: claimOf(as, orgId, gateway) });
    if (status > 201) throw new Error(`claim: ${status} ${JSON.stringify(body)}`);
    return gateway;
  };

  const provision = async (
    as: Person,
    siteId: string,
    serial: string,
    changes: object = {},
  ): Promise<Reply['body']> => {
    const body = {
      gateway_serial: serial,
      hardware_id: 'INV-1',
      device_type: 'inverter',
      site_id: siteId,
      ders: [
        { name: 'pv', type: 'solar' },
        { name: 'battery', type: 'battery' },
      ],
      ...changes,
    };
    const reply = await call('POST', '/devices/provision', { as, body });
    if (reply.status > 201) throw new Error(`provision: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body;
  };

  /** A person with a site, and a gateway there with one device. */
  async function home({ place, device: changes }: { place?: object; device?: object } = {}) {
    const owner = await person();
    const org = await organization(owner);
    const siteId = await site(owner, org, place);
    const gateway = await claim(owner, org);
    const device = await provision(owner, siteId, gateway.serial, changes);
    return { owner, org, site: siteId, gateway, device };
  }

  return { call, signIn, person, organization, invite, member, site, claimOf, claim, provision, home };
}

export async function expectStatus(status: number, reply: Promise<Reply>): Promise<Reply['body']> {
  const { status: got, body } = await reply;
  if (got !== status) throw new Error(`expected ${status}, got ${got}: ${JSON.stringify(body)}`);
  return body;
}

const isStream = (url: string): boolean => url.startsWith('/stream/sites/') || url.endsWith('/logs');

/** Event streams have no end: their beginning is the answer. */
async function openStream(app: FastifyInstance, request: InjectOptions): Promise<Reply> {
  const reply = await app.inject({ ...request, payloadAsStream: true });
  const stream = reply.stream();
  const isOpen = reply.statusCode === 200;
  const body = isOpen ? '' : await json(stream);
  stream.destroy();
  return { status: reply.statusCode, body, headers: reply.headers as Reply['headers'] };
}
