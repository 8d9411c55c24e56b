import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '#contract/client.ts';
import { registerIdentity } from '#contract/cloud/identity.ts';
import { createOrganization } from '#contract/cloud/organizations.ts';
import { createSite } from '#contract/cloud/sites.ts';
import { ed25519 } from '#test/cloud/people.ts';
import { signIn, startCloudServer } from './cloud-server.ts';
import { replyTo } from './http/reply.ts';
import { awake } from './measure/awake.ts';
import { compared, type Finding } from './measure/finding.ts';
import { load, type Request } from './measure/load.ts';
import { inTurns } from './measure/rounds.ts';
import { type ServerProcess, startServer } from './measure/server-process.ts';

const rounds = 9;
const connections = 4;

/** `amount` is how many requests a round has. */
type Case = { what: string; request: Request; amount: number; goal: number };

/** Requests to the cloud, each against bare node:http that sends the same bytes. */
export async function http(): Promise<Finding[]> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'ohmstead-bench-'));
  await using cloud = await startCloudServer(folder.path);
  const findings: Finding[] = [];
  for (const each of await casesOf(cloud.url)) findings.push(...(await measure(cloud, each)));
  return findings;
}

async function casesOf(baseUrl: string): Promise<Case[]> {
  const person = ed25519();
  await createClient({ baseUrl }).call(registerIdentity, { body: { public_key: person.publicKey } });
  const token = await signIn(baseUrl, person);
  const api = createClient({ baseUrl, token });
  const { id: org_id } = await api.call(createOrganization, { body: { name: 'Home' } });
  const house = { org_id, name: 'House', latitude: 59.33, longitude: 18.07, country: 'SE', fuse_a: 20 };
  const { id: siteId } = await api.call(createSite, { body: house });

  const authorization = `Bearer ${token}`;
  const get = (path: string): Request => ({ method: 'GET', path, headers: { authorization } });
  const post = (path: string, body: object): Request => ({
    method: 'POST',
    path,
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return [
    { what: 'GET /identity/me', request: get('/identity/me'), amount: 4000, goal: 1.5 },
    { what: 'GET /sites/{id}', request: get(`/sites/${siteId}`), amount: 4000, goal: 1.5 },
    {
      what: 'POST /auth/challenge (no write; parses a key, makes a MAC)',
      request: post('/auth/challenge', { public_key: person.publicKey }),
      amount: 3000,
      goal: 2,
    },
    { what: 'POST /sites (one durable transaction)', request: post('/sites', house), amount: 1000, goal: 2 },
  ];
}

async function measure(cloud: ServerProcess, { what, request, amount, goal }: Case): Promise<Finding[]> {
  await using bare = await startServer(import.meta.resolve('./servers/bare.ts'), {
    args: [JSON.stringify(await replyTo(cloud.url, request))],
  });
  const run = (server: ServerProcess) => () => awake(() => load(server, [request], { amount, connections }));
  const contenders = { ours: run(cloud), theirs: run(bare) };
  await inTurns(2, contenders); // until the compiler has settled
  const { ours, theirs } = await inTurns(rounds, contenders);
  const cpu = { name: 'bare node:http', values: theirs.map(({ cpuUs }) => cpuUs) };
  const wait = { name: 'bare node:http', values: theirs.map(({ waitMs }) => waitMs) };
  return [
    compared(
      `${what}, CPU`,
      'µs',
      ours.map(({ cpuUs }) => cpuUs),
      cpu,
      { of: 'ratio', atMost: goal },
    ),
    compared(
      `${what}, wait`,
      'ms',
      ours.map(({ waitMs }) => waitMs),
      wait,
    ),
  ];
}
