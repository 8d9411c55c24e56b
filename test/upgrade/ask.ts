import { createPrivateKey, type KeyObject, sign } from 'node:crypto';

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
type Body = any;

export type Ask = { token?: string | undefined; body?: unknown; headers?: Record<string, string> };

/** Sends a request and returns the answer; throws if it is an error. */
export async function ask(method: string, url: string, { token, body, headers }: Ask = {}): Promise<Body> {
  const reply = await fetch(url, {
    method,
    redirect: 'manual',
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  if (reply.status >= 300) throw new Error(`${method} ${url}: ${reply.status} ${text}`);
  return reply.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text;
}

export async function signIn(url: string, key: KeyObject | string): Promise<string> {
  const privateKey = typeof key === 'string' ? createPrivateKey(key) : key;
  const { x } = privateKey.export({ format: 'jwk' });
  const public_key = Buffer.from(x!, 'base64url').toString('base64');
  const { challenge } = await ask('POST', `${url}/auth/challenge`, { body: { public_key } });
  const signature = sign(null, Buffer.from(challenge), privateKey).toString('base64');
  const { token } = await ask('POST', `${url}/auth/verify`, { body: { public_key, challenge, signature } });
  return token;
}

/** A form of the token endpoint, sent by a confidential application. */
export async function askForTokens(
  url: string,
  { id, secret }: { id: string; secret: string },
  form: Record<string, string>,
): Promise<{ access_token: string; refresh_token: string }> {
  const reply = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${id}:${secret}`)}` },
    body: new URLSearchParams(form),
  });
  if (reply.status !== 200) throw new Error(`tokens: ${reply.status} ${await reply.text()}`);
  return (await reply.json()) as { access_token: string; refresh_token: string };
}
