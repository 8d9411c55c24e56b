import { mkdir } from 'node:fs/promises';
import { enrol } from '#cloud/identity/register.ts';
import { openStore, type Store } from '#cloud/store/store.ts';
import { telemetryTopic } from '#contract/topics.ts';
import { parsePublicKey } from '#lib/keys/public-key.ts';
import { createLog } from '#lib/log.ts';
import { brokerToken } from '#test/cloud/gateway-client.ts';
import { ed25519, p256, type Signer } from '#test/cloud/people.ts';
import { fill, serialOf } from '../registry/fill.ts';

/** The data a gateway needs to report readings of its meter. */
export type Login = { serial: string; password: string; topic: string };

/** The owner owns the only organization. */
export type Fleet = { owner: Signer; logins: Login[] };

/** The first `gateways` sites have a gateway that can log in. */
type Size = { sites: number; gateways?: number; places?: number; databaseUrl?: string };

/** Fills the registry of a data folder, or of a database. */
export async function enrolFleet(dataDir: string, { sites, gateways = 0, places, databaseUrl }: Size): Promise<Fleet> {
  await mkdir(dataDir, { recursive: true });
  const owner = ed25519();
  const store = await openStore({ dataDir, databaseUrl, log: createLog({ level: 'warn', name: 'bench' }) });
  const { identity } = await store.write(({ db }) =>
    enrol({ key: parsePublicKey(owner.publicKey), type: 'user' }, db, Date.now()),
  );
  await fill(store, { sites, organizations: 1, ownerId: identity.id, ...(places && { places }) });
  const signers = Array.from({ length: gateways }, (_, number) => p256(serialOf(number)));
  await giveKeys(store, signers);
  await store.close();
  const logins: Login[] = [];
  for (const [number, signer] of signers.entries()) {
    const password = await brokerToken(signer, Date.now());
    logins.push({ serial: signer.serial, password, topic: telemetryTopic(signer.serial, meterOf(number), 'meter') });
  }
  return { owner, logins };
}

/** Returns the hardware id of the second device of a site. */
const meterOf = (site: number): string => `HW-${2 * site + 1}`;

const giveKeys = (store: Store, signers: { serial: string; publicKey: string }[]): Promise<void> =>
  store.write(async ({ db }) => {
    for (const { serial, publicKey } of signers) {
      await db.updateTable('gateways').set({ public_key: publicKey }).where('serial', '=', serial).execute();
    }
  });
