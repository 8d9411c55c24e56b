import { createPublicKey, randomUUID, sign, verify } from 'node:crypto';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { composeClaim } from '#contract/claim.ts';
import { createClient } from '#contract/client.ts';
import { getMe } from '#contract/cloud/identity.ts';
import { formatTime } from '#contract/time.ts';
import { p256 } from '#test/cloud/people.ts';
import { signIn, startCloudServer } from './cloud-server.ts';
import { enrolFleet } from './fleet/enrol.ts';
import { awake } from './measure/awake.ts';
import { compared, type Finding } from './measure/finding.ts';
import { type Cost, load, type Request } from './measure/load.ts';
import { inTurns } from './measure/rounds.ts';
import { idOf } from './registry/fill.ts';

const rounds = 7;
const amount = 100;

/** Measures first claims of gateways, one after the other, against their unavoidable cost: a signature check and a commit. */
export async function claim(): Promise<Finding[]> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'ohmstead-bench-'));
  const { owner } = await enrolFleet(join(folder.path, 'cloud'), { sites: 1 });
  await using server = await startCloudServer(join(folder.path, 'cloud'));
  const token = await signIn(server.url, owner);
  const { identity_id } = await createClient({ baseUrl: server.url, token }).call(getMe);
  using bare = openBare(join(folder.path, 'bare.db'));
  const contenders = {
    ours: () => {
      const requests = Array.from({ length: amount }, () => claimBy(identity_id, token));
      return awake(() => load(server, requests, { amount, connections: 1 }));
    },
    theirs: async () => bare.run(),
  };
  await inTurns(2, contenders);
  const { ours, theirs } = await inTurns(rounds, contenders);
  const against = (pick: keyof Cost) => ({ name: 'verify and commit', values: theirs.map((cost) => cost[pick]) });
  return [
    compared(
      'POST /gateways/claim, CPU',
      'µs',
      ours.map(({ cpuUs }) => cpuUs),
      against('cpuUs'),
    ),
    compared(
      'POST /gateways/claim, wait',
      'ms',
      ours.map(({ waitMs }) => waitMs),
      against('waitMs'),
    ),
  ];
}

/** Creates a claim of an unknown gateway. */
function claimBy(claimerId: string, token: string): Request {
  const { serial, publicKey, sign: signed } = p256();
  const message = composeClaim({ claimerId, nonce: randomUUID(), timestamp: formatTime(Date.now()), serial });
  const body = {
    org_id: idOf('org', 0),
    gateway_serial: serial,
    public_key: publicKey,
    message,
    signature: signed(message),
  };
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return { method: 'POST', path: '/gateways/claim', headers, body: JSON.stringify(body) };
}

/** Does the same without a platform: one ES256 signature check, one row, one commit on disk. */
function openBare(file: string): Disposable & { run(): Cost } {
  const database = new DatabaseSync(file);
  database.exec(
    'pragma journal_mode = wal; pragma synchronous = full; create table claims (serial text primary key, message text)',
  );
  const insert = database.prepare('insert into claims values (?, ?)');
  const { privateKey } = p256();
  const key = createPublicKey(privateKey);
  const message = Buffer.alloc(120, 'x');
  const signature = sign('sha256', message, privateKey);
  const claimOnce = (): void => {
    if (!verify('sha256', message, key, signature)) throw new Error('A good signature was refused.');
    insert.run(randomUUID(), message.toString());
  };
  return {
    run() {
      const before = process.cpuUsage();
      const began = performance.now();
      for (let done = 0; done < amount; done++) claimOnce();
      const { user, system } = process.cpuUsage(before);
      return { cpuUs: (user + system) / amount, waitMs: (performance.now() - began) / amount };
    },
    [Symbol.dispose]: () => database.close(),
  };
}
