import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '#contract/client.ts';
import { requestChallenge } from '#contract/cloud/identity.ts';
import { p256, type Signer } from '#test/cloud/people.ts';
import { startCloudServer } from './cloud-server.ts';
import { enrolFleet, type Login } from './fleet/enrol.ts';
import { startGenerator } from './fleet/start-generator.ts';
import { awake } from './measure/awake.ts';
import { compared, type Finding } from './measure/finding.ts';
import { load, type Request } from './measure/load.ts';
import { inTurns } from './measure/rounds.ts';
import type { ServerProcess } from './measure/server-process.ts';

const rounds = 7;
const amount = 200;
const settleMs = 500; // until the connections of the last round are closed

/** Measures the cost of a login, compared with its unavoidable signature check. */
export async function login(): Promise<Finding[]> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'ohmstead-bench-'));
  const { owner, logins } = await enrolFleet(folder.path, { sites: amount, gateways: amount });
  await using server = await startCloudServer(folder.path);
  const contenders = {
    challenge: () => challenge(server, owner),
    person: () => person(server, owner),
    gateway: () => gateway(server, logins),
    ed25519: async () => verifying(owner.privateKey, null),
    es256: async () => verifying(p256().privateKey, 'sha256'),
  };
  await inTurns(2, contenders);
  const us = await inTurns(rounds, contenders);
  const ed25519 = { name: 'one Ed25519 verify', values: us.ed25519 };
  const es256 = { name: 'one ES256 verify', values: us.es256 };
  return [
    compared('POST /auth/challenge, CPU', 'µs', us.challenge, ed25519),
    compared('POST /auth/verify (one durable transaction, signs a token), CPU', 'µs', us.person, ed25519),
    compared('A gateway connects and logs in at the broker, CPU', 'µs', us.gateway, es256),
  ];
}

const post = (path: string, body: object): Request => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** Uses one connection: each challenge is valid once. */
const costOf = async (server: ServerProcess, requests: Request[]): Promise<number> =>
  (await awake(() => load(server, requests, { amount, connections: 1 }))).cpuUs;

const challenge = (server: ServerProcess, { publicKey }: Signer): Promise<number> =>
  costOf(server, [post('/auth/challenge', { public_key: publicKey })]);

async function person(server: ServerProcess, { publicKey: public_key, sign: signed }: Signer): Promise<number> {
  const api = createClient({ baseUrl: server.url });
  const requests: Request[] = [];
  for (let made = 0; made < amount; made++) {
    const { challenge: text } = await api.call(requestChallenge, { body: { public_key } });
    requests.push(post('/auth/verify', { public_key, challenge: text, signature: signed(text) }));
  }
  return costOf(server, requests);
}

async function gateway(server: ServerProcess, logins: Login[]): Promise<number> {
  await sleep(settleMs);
  const before = await server.cpuUs();
  const connected = await startGenerator(server, logins);
  const after = await server.cpuUs();
  await connected[Symbol.asyncDispose]();
  return (after - before) / logins.length;
}

/** Returns the CPU time (µs) of checking a signature in this process. */
function verifying(privateKey: KeyObject, digest: 'sha256' | null): number {
  const key = createPublicKey(privateKey);
  const message = Buffer.alloc(200, 'x');
  const signature = sign(digest, message, privateKey);
  const before = process.cpuUsage();
  for (let done = 0; done < amount; done++) {
    if (!verify(digest, message, key, signature)) throw new Error('A good signature was refused.');
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / amount;
}
