import { hash } from 'node:crypto';
import { ed25519 } from '../cloud/people.ts';
import type { Secrets } from './secrets.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
type Answer = { status: number; body: any; headers: Headers };

/** A platform at an address, called as programs call it. */
export async function ask(
  url: string,
  what: string,
  { token, body, headers = {} }: { token?: string; body?: string | object; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const [method, path] = what.split(' ') as [string, string];
  const answer = await fetch(url + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.includes('json') && text !== '';
  return { status: answer.status, body: isJson ? JSON.parse(text) : text, headers: answer.headers };
}

export type SignedIn = { id: string; token: string; org: string };

/** Creates a person with an organization and keeps the secrets involved. */
export async function signIn(url: string, secrets: Secrets): Promise<SignedIn> {
  const { publicKey, sign } = ed25519();
  const { body: registered } = await ask(url, 'POST /identity/register', { body: { public_key: publicKey } });
  const { body: asked } = await ask(url, 'POST /auth/challenge', { body: { public_key: publicKey } });
  const challenge = secrets.keep('challenge', asked.challenge);
  const proof = { public_key: publicKey, challenge };
  await ask(url, 'POST /auth/verify', { body: { ...proof, signature: sign('another text') } });
  const again = await ask(url, 'POST /auth/challenge', { body: { public_key: publicKey } });
  const second = secrets.keep('challenge', again.body.challenge);
  const { body: session } = await ask(url, 'POST /auth/verify', {
    body: { public_key: publicKey, challenge: second, signature: sign(second) },
  });
  const token = secrets.keep('session token', session.token);
  const { body: organization } = await ask(url, 'POST /organizations', { token, body: { name: 'Home' } });
  return { id: registered.identity_id, token, org: organization.id };
}

const redirectUri = 'https://dashboard.example/callback';
const verifier = 'a-verifier-of-the-canaries-that-is-long-enough-for-anybody';

/** Creates an application with consent and keeps its secret, the code and both tokens. */
export async function allowApplication(url: string, { token, org }: SignedIn, secrets: Secrets): Promise<void> {
  const { body: client } = await ask(url, `POST /organizations/${org}/oauth-clients`, {
    token,
    body: { name: 'Dashboard', redirect_uris: [redirectUri], confidential: true },
  });
  const secret = secrets.keep('client secret', client.client_secret);
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: redirectUri,
    scope: 'openid offline_access read:sites',
    state: 'state',
    code_challenge: hash('sha256', verifier, 'base64url'),
    code_challenge_method: 'S256',
  });
  const begun = await ask(url, `GET /oauth/authorize?${query.toString()}`);
  const cookie = begun.headers
    .getSetCookie()
    .map((each) => each.split(';', 1)[0])
    .join('; ');
  const request = new URL(begun.headers.get('location')!, url).searchParams.get('request');
  const { body: completed } = await ask(url, 'POST /oauth/authorize/complete', {
    token,
    headers: { cookie },
    body: { request, allow: true, org_ids: [org] },
  });
  const back = await fetch(completed.redirect_to, { redirect: 'manual', headers: { cookie } });
  const code = secrets.keep('code', new URL(back.headers.get('location')!).searchParams.get('code')!);

  const authorization = `Basic ${btoa(`${client.client_id}:${secret}`)}`;
  const exchange = (form: Record<string, string>): Promise<Answer> =>
    ask(url, 'POST /oauth/token', {
      headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
    });
  const codeForm = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier };
  await exchange({ ...codeForm, code_verifier: 'w'.repeat(50), code: `${code}x` });
  const { body: granted } = await exchange(codeForm);
  secrets.keep('refresh token', granted.refresh_token);
  secrets.keep('session token', granted.access_token);
  await ask(url, 'GET /sites', { token: granted.access_token });
  const { body: renewed } = await exchange({ grant_type: 'refresh_token', refresh_token: granted.refresh_token });
  secrets.keep('refresh token', renewed.refresh_token);
  await exchange(codeForm); // a code works once, and using it twice ends everything that came from it
  await exchange({ grant_type: 'refresh_token', refresh_token: granted.refresh_token });
}
