import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { enrol } from '#cloud/identity/register.ts';
import { openStore } from '#cloud/store/store.ts';
import { parsePublicKey } from '#lib/keys/public-key.ts';
import { createLog } from '#lib/log.ts';
import type { EngineName } from '#test/cloud/open-cloud.ts';
import { ed25519 } from '#test/cloud/people.ts';
import { freshDatabase } from '#test/services/postgres.ts';
import { signIn, startCloudServer } from '../cloud-server.ts';
import type { ServerProcess } from '../measure/server-process.ts';
import { fill, type Population } from './fill.ts';

export type World = AsyncDisposable & {
  server: ServerProcess;
  /** of the owner of the first organization */
  token: string;
  sites: number;
  fillSeconds: number;
};

/** Starts a platform on a database that was filled in advance. */
export async function openWorld(engine: EngineName, size: Omit<Population, 'ownerId'>): Promise<World> {
  await using open = new AsyncDisposableStack();
  const folder = open.use(await mkdtempDisposable(join(tmpdir(), 'ohmstead-bench-')));
  const database = engine === 'postgres' ? await freshDatabase() : undefined;
  open.defer(async () => database?.drop());

  const owner = ed25519();
  const store = await openStore({
    dataDir: folder.path,
    databaseUrl: database?.url,
    log: createLog({ level: 'warn', name: 'bench' }),
  });
  const began = performance.now();
  const { identity } = await store.write(({ db }) =>
    enrol({ key: parsePublicKey(owner.publicKey), type: 'user' }, db, Date.now()),
  );
  await fill(store, { ...size, ownerId: identity.id });
  const fillSeconds = (performance.now() - began) / 1000;
  await store.close();

  const server = open.use(await startCloudServer(folder.path, { databaseUrl: database?.url }));
  const token = await signIn(server.url, owner);
  const kept = open.move();
  return {
    server,
    token,
    sites: size.sites,
    fillSeconds,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
