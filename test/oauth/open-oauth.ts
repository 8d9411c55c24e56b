import { hash, randomBytes } from 'node:crypto';
import { type EngineName, openCloud, type Person } from '../cloud/open-cloud.ts';

export type OAuthTestCloud = Awaited<ReturnType<typeof openOAuth>>;

export type TestClient = { client_id: string; client_secret?: string };

export const redirectUri = 'https://dashboard.example/login/callback';

export const allScopes = 'openid profile offline_access read:sites read:telemetry control:ders';

export const verifier = 'the verifier of the tests is long enough for anybody'.replaceAll(' ', '-');
export const challengeOf = (text: string): string => hash('sha256', text, 'base64url');

type Changes = Record<string, string | undefined>;

/** A listening platform with an owner, two organizations and an application. */
export async function openOAuth({ engine = 'sqlite' }: { engine?: EngineName } = {}) {
  let url = '';
  const cloud = await openCloud({ engine, baseUrl: () => url });
  url = await cloud.app.listen({ host: '127.0.0.1', port: 0 });
  cloud.clock.set(Date.now()); // the OAuth server uses the system clock
  await cloud.start();

  const owner = await cloud.person();
  const org = await cloud.organization(owner, 'Home');
  const otherOrg = await cloud.organization(owner, 'Cabin');

  async function register(changes: object = {}): Promise<TestClient> {
    const body = { name: 'Dashboard', redirect_uris: [redirectUri], confidential: true, ...changes };
    const reply = await cloud.call('POST', `/organizations/${org}/oauth-clients`, { as: owner, body });
    if (reply.status !== 201) throw new Error(`register: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body;
  }

  const authorizeUrl = (client: TestClient, changes: Changes = {}): URL => {
    const address = new URL('/oauth/authorize', url);
    const parameters: Changes = {
      response_type: 'code',
      client_id: client.client_id,
      redirect_uri: redirectUri,
      scope: allScopes,
      state: randomBytes(8).toString('hex'),
      code_challenge: challengeOf(verifier),
      code_challenge_method: 'S256',
      ...changes,
    };
    for (const [name, value] of Object.entries(parameters))
      if (value !== undefined) address.searchParams.set(name, value);
    return address;
  };

  /** Acts as a browser until the authorization page is open. */
  async function begin(address: URL): Promise<{ request: string; cookies: string; location: URL }> {
    const reply = await fetch(address, { redirect: 'manual' });
    if (reply.status !== 303) throw new Error(`authorize: ${reply.status} ${await reply.text()}`);
    const location = new URL(reply.headers.get('location')!, url);
    return { request: location.searchParams.get('request')!, cookies: cookiesOf(reply), location };
  }

  /** Acts as the page after the decision, up to the redirect to the application. */
  async function decide(
    begun: { request: string; cookies: string },
    as: Person,
    decision: { allow: boolean; org_ids?: string[] },
  ): Promise<URL> {
    const reply = await fetch(new URL('/oauth/authorize/complete', url), {
      method: 'POST',
      headers: { authorization: `Bearer ${as.token}`, 'content-type': 'application/json', cookie: begun.cookies },
      body: JSON.stringify({ request: begun.request, ...decision }),
    });
    if (reply.status !== 200) throw new Error(`complete: ${reply.status} ${await reply.text()}`);
    const { redirect_to } = (await reply.json()) as { redirect_to: string };
    const back = await fetch(redirect_to, { redirect: 'manual', headers: { cookie: begun.cookies } });
    if (back.status !== 303) throw new Error(`resume: ${back.status} ${await back.text()}`);
    return new URL(back.headers.get('location')!);
  }

  async function allow(address: URL, orgIds = [org], as = owner): Promise<URL> {
    return decide(await begin(address), as, { allow: true, org_ids: orgIds });
  }

  /** A form for the token endpoints; a confidential client sends its secret in the header. */
  async function post(path: string, client: TestClient, form: Changes) {
    const fields = Object.entries({ ...(!client.client_secret && { client_id: client.client_id }), ...form });
    const reply = await fetch(new URL(path, url), {
      method: 'POST',
      headers: client.client_secret
        ? { authorization: `Basic ${btoa(`${client.client_id}:${client.client_secret}`)}` }
        : {},
      body: new URLSearchParams(fields.filter((field): field is [string, string] => field[1] !== undefined)),
    });
    const text = await reply.text();
    return { status: reply.status, body: text ? JSON.parse(text) : undefined, headers: reply.headers };
  }

  const redeem = (client: TestClient, code: string, changes: Changes = {}) =>
    post('/oauth/token', client, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
      ...changes,
    });

  const refresh = (client: TestClient, token: string) =>
    post('/oauth/token', client, { grant_type: 'refresh_token', refresh_token: token });

  /** The whole flow; returns what the application has in the end. */
  async function tokens(client: TestClient, { scope = allScopes, orgIds = [org], as = owner } = {}) {
    const back = await allow(authorizeUrl(client, { scope }), orgIds, as);
    const { status, body } = await redeem(client, back.searchParams.get('code')!);
    if (status !== 200) throw new Error(`token: ${status} ${JSON.stringify(body)}`);
    return body as { access_token: string; refresh_token: string; id_token: string; scope: string };
  }

  const get = (path: string, token: string) =>
    fetch(new URL(path, url), { headers: { authorization: `Bearer ${token}` } });

  return {
    ...cloud,
    url,
    owner,
    org,
    otherOrg,
    register,
    authorizeUrl,
    begin,
    decide,
    allow,
    post,
    redeem,
    refresh,
    tokens,
    get,
  };
}

const cookiesOf = (reply: Response): string =>
  reply.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ');
