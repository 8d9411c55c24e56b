import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signIn, startCloudServer } from './cloud-server.ts';
import { enrolFleet, type Fleet } from './fleet/enrol.ts';
import { replyTo } from './http/reply.ts';
import { fillHot } from './ingest/fill-hot.ts';
import { awake } from './measure/awake.ts';
import { compared, type Finding } from './measure/finding.ts';
import { load, type Request } from './measure/load.ts';
import { inTurns } from './measure/rounds.ts';
import { type ServerProcess, startServer } from './measure/server-process.ts';
import { reach } from './reach.ts';
import { idOf } from './registry/fill.ts';

const rounds = 9;
const connections = 4;
const sites = 20; // each with two devices and five DERs, and a reading of each DER

/** `amount` is the number of requests per round. */
type Case = { what: string; part?: string; request: Request; amount: number; goal: number };

/** Measures requests to the cloud, each against bare node:http that sends the same bytes. */
export async function http(): Promise<Finding[]> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'ohmstead-bench-'));
  const { owner } = await enrolFleet(folder.path, { sites });
  await fillHot(folder.path, 5 * sites);
  await using cloud = await startCloudServer(folder.path);
  const findings: Finding[] = [];
  for (const each of await casesOf(cloud.url, owner)) findings.push(...(await measure(cloud, each)));
  return findings;
}

async function casesOf(baseUrl: string, owner: Fleet['owner']): Promise<Case[]> {
  const authorization = `Bearer ${await signIn(baseUrl, owner)}`;
  const get = (part: string, path: string): Case => ({
    what: reach.get,
    part,
    request: { method: 'GET', path, headers: { authorization } },
    amount: 4000,
    goal: 1.4,
  });
  const post = (path: string, body: object): Request => ({
    method: 'POST',
    path,
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const org_id = idOf('org', 0);
  const house = { org_id, name: 'House', latitude: 59.33, longitude: 18.07, country: 'SE', fuse_a: 20 };
  return [
    get('/identity/me', '/identity/me'),
    get('/sites/{id}', `/sites/${idOf('sit', 1)}`),
    get('/devices/{id}', `/devices/${idOf('dev', 1)}`),
    get('/ders/{id}', `/ders/${idOf('der', 1)}`),
    get(`/sites, of ${sites}`, '/sites'),
    {
      what: 'POST /auth/challenge (no write; parses a key, makes a MAC)',
      request: post('/auth/challenge', { public_key: owner.publicKey }),
      amount: 3000,
      goal: 2,
    },
    { what: 'POST /sites (one durable transaction)', request: post('/sites', house), amount: 1000, goal: 2 },
  ];
}

async function measure(cloud: ServerProcess, { what, part, request, amount, goal }: Case): Promise<Finding[]> {
  await using bare = await startServer(import.meta.resolve('./servers/bare.ts'), {
    args: [JSON.stringify(await replyTo(cloud.url, request))],
  });
  const run = (server: ServerProcess) => () => awake(() => load(server, [request], { amount, connections }));
  const contenders = { ours: run(cloud), theirs: run(bare) };
  await inTurns(2, contenders); // warms up the compiler
  const { ours, theirs } = await inTurns(rounds, contenders);
  const pick = (name: 'cpuUs' | 'waitMs') => ({ name: 'bare node:http', values: theirs.map((cost) => cost[name]) });
  const cpu = ours.map(({ cpuUs }) => cpuUs);
  const wait = ours.map(({ waitMs }) => waitMs);
  const partOf = (of: string): string => (part ? `${part}, ${of}` : of);
  return [
    { ...compared(what, 'µs', cpu, pick('cpuUs'), { of: 'ratio', atMost: goal }), part: partOf('CPU') },
    { ...compared(what, 'ms', wait, pick('waitMs')), part: partOf('wait') },
  ];
}
