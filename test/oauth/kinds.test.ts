import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createAdmission } from '#cloud/broker/admission.ts';
import { createAudience } from '#cloud/broker/audience.ts';
import { CloudConfig } from '#cloud/config.ts';
import { openKeyRing } from '#cloud/identity/key-ring.ts';
import { createSessions } from '#cloud/identity/sessions.ts';
import { readSetting } from '#cloud/store/settings.ts';
import { readConfig } from '#lib/config.ts';
import { createLog } from '#lib/log.ts';
import { type OAuthTestCloud, openOAuth, type TestClient, verifier } from './open-oauth.ts';

const kinds = [
  'token of a person',
  'OAuth access token',
  'refresh token',
  'authorization code',
  'ID token',
  'stream ticket',
  'client secret',
  'id of a request',
] as const;
type Kind = (typeof kinds)[number];

const alsoForPeople = ['the API, for what applications may', 'userinfo'];

/** Where each kind is valid; everywhere else it is refused. */
const accepted: Record<string, Kind> = {
  'the API, for what only people do': 'token of a person',
  'the API, for what applications may': 'OAuth access token', // and that of a person
  'the broker': 'token of a person',
  userinfo: 'OAuth access token', // and that of a person
  'the token endpoint as a refresh token': 'refresh token',
  'the token endpoint as a code': 'authorization code',
  'a stream as a ticket': 'stream ticket',
  'the token endpoint as a secret': 'client secret',
};

describe('kinds of token and where they are accepted', () => {
  let cloud: OAuthTestCloud;
  let client: TestClient;
  let site: string;
  before(async () => {
    cloud = await openOAuth();
    client = await cloud.register();
    site = await cloud.site(cloud.owner, cloud.org);
  });
  after(() => cloud.close());

  async function fresh(): Promise<Record<Kind, string>> {
    const { access_token, refresh_token, id_token } = await cloud.tokens(client);
    const code = (await cloud.allow(cloud.authorizeUrl(client))).searchParams.get('code')!;
    const ticket = await cloud.call('POST', '/stream/tickets', { as: cloud.owner, body: { site_id: site } });
    return {
      'token of a person': await cloud.signIn(cloud.owner),
      'OAuth access token': access_token,
      'refresh token': refresh_token,
      'authorization code': code,
      'ID token': id_token,
      'stream ticket': ticket.body.ticket,
      'client secret': client.client_secret!,
      'id of a request': (await cloud.begin(cloud.authorizeUrl(client))).request,
    };
  }

  const isOk = async (reply: Promise<{ status: number }>): Promise<boolean> => (await reply).status < 300;

  async function admits(password: string): Promise<boolean> {
    const { store, clock } = cloud;
    const tokenLifeMs = 24 * 3_600_000;
    const keys = await openKeyRing(store, { clock, tokenLifeMs });
    const deploymentId = (await readSetting(store.db, 'deployment_id'))!;
    const sessions = createSessions({ store, keys, clock, deploymentId, tokenLifeMs });
    const log = createLog({ level: 'silent', name: 'test' });
    const audience = createAudience(readConfig(CloudConfig, {}), { deploymentId, listeners: () => [] });
    const { id } = cloud.owner;
    const login = { username: id, password, clientId: `${id}-1`, address: '127.0.0.1' };
    return (
      (await createAdmission({ store, sessions, audience, platformMessage: () => '{}', clock, log }).login(login)) !==
      undefined
    );
  }

  const verifiers: Record<string, (text: string) => Promise<boolean>> = {
    'the API, for what only people do': (text) => isOk(cloud.get('/identity/me', text)),
    'the API, for what applications may': (text) => isOk(cloud.get('/sites', text)),
    'the broker': admits,
    userinfo: (text) => isOk(cloud.get('/oauth/userinfo', text)),
    'the token endpoint as a refresh token': (text) => isOk(cloud.refresh(client, text)),
    'the token endpoint as a code': (text) => isOk(cloud.redeem(client, text)),
    'a stream as a ticket': async (text) => {
      const reply = await fetch(`${cloud.url}/stream/sites/${site}?ticket=${encodeURIComponent(text)}`);
      await reply.body?.cancel();
      return reply.status === 200;
    },
    'the token endpoint as a secret': async (text) => {
      const form = { grant_type: 'authorization_code', code: 'x', redirect_uri: 'x', code_verifier: verifier };
      const { body } = await cloud.post('/oauth/token', { ...client, client_secret: text }, form);
      return body.error === 'invalid_grant'; // the client was accepted, its code was not
    },
  };

  for (const [where, accepts] of Object.entries(verifiers))
    test(`${where} accepts one kind of ${kinds.length}`, async () => {
      for (const kind of kinds) {
        const text = (await fresh())[kind];
        const isExpected = kind === accepted[where] || (alsoForPeople.includes(where) && kind === 'token of a person');
        assert.equal(await accepts(text), isExpected, kind);
      }
    });
});
