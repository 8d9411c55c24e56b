import { generateKeyPairSync } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { composeClaim } from '#contract/claim.ts';
import { formatTime } from '#contract/time.ts';
import { systemClock } from '#lib/clock.ts';
import { brokerToken, connectOnce } from '../cloud/gateway-client.ts';
import { p256 } from '../cloud/people.ts';
import { freePort } from '../free-port.ts';
import { fuzzRequests } from '../fuzz/http/fuzz-requests.ts';
import type { FuzzService } from '../fuzz/http/service.ts';
import { testEnvironment } from '../test-environment.ts';
import { startHeard } from './process.ts';
import { coreOf, type Secrets, someSecret } from './secrets.ts';
import { allowApplication, ask, type SignedIn, signIn } from './sign-in.ts';

const program = fileURLToPath(new URL('./platform-process.ts', import.meta.url));

export type Searched = { said: string; requests: number; faults: string[] };

type Options = { folder: string; secrets: Secrets; requests: number; planted?: string };

/** A platform at the most detailed log level that gets secrets in every way: where they belong and where they do not. */
export async function hearPlatform({ folder, secrets, requests, planted = '' }: Options): Promise<Searched> {
  const operatorToken = secrets.keep('operator token', someSecret());
  await using platform = startHeard(program, [], {
    ...testEnvironment,
    DATA_DIR: folder,
    CLOUD_PORT: '0',
    MQTT_PORT: '0',
    LOG_LEVEL: 'trace',
    INTERNAL_TOKEN: operatorToken,
    PLANTED: planted,
  });
  const { url, mqttUrl } = (await platform.message()) as { url: string; mqttUrl: string };
  const person = await signIn(url, secrets);
  await allowApplication(url, person, secrets);
  await misplace(url, person, secrets, operatorToken);
  await connectGateways(url, mqttUrl, person, secrets);

  const texts = secrets.texts();
  const fuzzed = await fuzzRequests(await secretService(url, texts, person), {
    seed: 3,
    requests,
    wireShare: 1,
    watch(request, { headers, body }) {
      const asked = JSON.stringify(request.headers) + request.url + (request.body?.toString() ?? '');
      const told = texts.find((text) => (JSON.stringify(headers) + body).includes(text) && !asked.includes(text));
      return told && 'sends a secret';
    },
  });
  await platform.stop();
  return { said: platform.said(), requests: fuzzed.requests, faults: fuzzed.wrong };
}

/** Secrets where people put them by mistake. */
async function misplace(url: string, { token, org }: SignedIn, secrets: Secrets, operatorToken: string): Promise<void> {
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  secrets.keep('PEM', coreOf(pem));
  await ask(url, 'POST /identity/register', { body: { public_key: pem } });
  await ask(url, `GET /sites?access_token=${token}`);
  await ask(url, `GET /sites?ticket=${token}`);
  await ask(url, `GET /sites/${token}`, { token });
  await ask(url, 'GET /sites', { token: `${token}x` });
  await ask(url, 'POST /organizations', { token, body: `{"name":"${token}` });
  await ask(url, 'POST /organizations', { token, body: { name: 'x', token, password: token } });
  await ask(url, 'POST /sites', { token, body: { org_id: org, name: token.repeat(3) } });
  await ask(url, 'POST /internal/mqtt/auth', { token: operatorToken, body: { username: 'x', password: token } });
  await ask(url, 'POST /internal/mqtt/auth', { token: `${operatorToken}x`, body: { username: 'x' } });
}

/** One that is admitted, and one with the token of another. */
async function connectGateways(url: string, mqttUrl: string, person: SignedIn, secrets: Secrets): Promise<void> {
  const [gateway, stranger] = [p256(), p256()];
  for (const { privateKey } of [gateway, stranger]) {
    secrets.keep('gateway key', coreOf(privateKey.export({ type: 'pkcs8', format: 'pem' }) as string));
  }
  const now = systemClock.now();
  const message = composeClaim({
    claimerId: person.id,
    nonce: 'canaries',
    timestamp: formatTime(now),
    serial: gateway.serial,
  });
  const claim = { org_id: person.org, gateway_serial: gateway.serial, public_key: gateway.publicKey, message };
  await ask(url, 'POST /gateways/claim', {
    token: person.token,
    body: { ...claim, signature: gateway.sign(message) },
  });
  for (const signer of [gateway, stranger]) {
    const password = secrets.keep('JWT', await brokerToken(signer, now));
    const options = { clientId: gateway.serial, username: gateway.serial, password };
    try {
      const client = await connectOnce(mqttUrl, options);
      await client.publishAsync(`gateways/${gateway.serial}/state/json/v1`, `{"token":"${password}"}`, { qos: 1 });
      await client.endAsync(true);
    } catch (error) {
      if (signer === gateway) throw error;
    }
  }
}

/** The platform as the fuzz sees it, with secrets wherever a text is accepted. */
async function secretService(url: string, texts: string[], { token, org }: SignedIn): Promise<FuzzService> {
  const document = (await ask(url, 'GET /openapi.json')).body;
  const places = ['password', 'token', 'signature', 'challenge', 'code', 'refresh_token', 'client_secret', 'cursor'];
  const nobody = {} as never;
  return {
    name: 'cloud',
    document,
    credentials: () => ({
      owner: `Bearer ${token}`,
      anybody: '',
      ...Object.fromEntries(texts.map((text) => [text, `Bearer ${text}`])),
    }),
    known: (name) => (name === 'org_id' ? [org] : places.includes(name) ? texts : []),
    names: () => ({}),
    appOf: () => nobody,
    url,
    async renew() {},
    async [Symbol.asyncDispose]() {},
  };
}

/** The output of a platform that cannot reach its database or its broker. */
export async function hearFailingStarts(folder: string, secrets: Secrets): Promise<string> {
  const nowhere = await freePort();
  const password = secrets.keep('database password', someSecret());
  const brokerPassword = secrets.keep('broker password', someSecret());
  const settings: Record<string, string>[] = [
    { DATABASE_URL: `postgres://ohmstead:${password}@127.0.0.1:${nowhere}/ohmstead` },
    {
      BROKER_URL: `amqp://ohmstead:${brokerPassword}@127.0.0.1:${nowhere}`,
      BROKER_MANAGEMENT_URL: `http://ohmstead:${brokerPassword}@127.0.0.1:${nowhere}`,
      INTERNAL_TOKEN: secrets.keep('operator token', someSecret()),
    },
  ];
  const said: string[] = [];
  for (const [index, setting] of settings.entries()) {
    await using platform = startHeard(program, [], {
      ...testEnvironment,
      DATA_DIR: `${folder}-${index}`,
      CLOUD_PORT: '0',
      LOG_LEVEL: 'trace',
      ...setting,
    });
    await platform.until(/"level":"(warn|error|fatal)"|Error/);
    await platform[Symbol.asyncDispose]();
    said.push(platform.said());
  }
  return said.join('\n');
}
