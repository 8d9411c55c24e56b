import * as fc from 'fast-check';
import { type EngineName, openCloud, type Person, type TestCloud } from '../cloud/open-cloud.ts';
import { ed25519, type GatewaySigner, p256 } from '../cloud/people.ts';
import type { Outcome } from '../proof/proof.ts';
import { type Ending, isSerial, type Move, type Neighbour } from './ownership-model.ts';
import { tryOut } from './rehearse.ts';
import { twin } from './twin.ts';

const who = fc.constantFrom('ada', 'bob');
const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ does: fc.constant('claim' as const), who, message: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('release' as const), who }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('provision' as const), who }) },
);
const schedule = fc.record({
  owner: fc.constantFrom(null, 'ada' as const),
  moves: fc.array(move, { minLength: 2, maxLength: 6 }),
});
type Schedule = { owner: Neighbour | null; moves: readonly Move[] };

type Street = { cloud: TestCloud } & Record<Neighbour, Person & { org: string; site: string }>;

/** Random schedules of concurrent claims, retries, releases and provisioning, and of logins with one challenge. */
export async function tryRaces(
  count: number,
  engine: EngineName,
  plant?: (cloud: TestCloud) => void,
): Promise<Outcome> {
  const cloud = await openCloud({ engine });
  try {
    const settle = async () => {
      const person = await cloud.person();
      const org = await cloud.organization(person);
      return { ...person, org, site: await cloud.site(person, org) };
    };
    const street = { cloud, ada: await settle(), bob: await settle() };
    plant?.(cloud);
    const notes: string[] = [];
    for (const [index, planned] of fc.sample(schedule, { numRuns: count, seed: 11 }).entries()) {
      const wrong = index % 5 === 4 ? await raceLogins(cloud, index) : await raceMoves(street, planned);
      if (wrong) notes.push(`${engine}: ${wrong}`);
    }
    return { tried: count, failed: notes.length, notes };
  } finally {
    await cloud.close();
  }
}

/** Returns the results that no sequential order explains. */
async function raceMoves(street: Street, { owner, moves }: Schedule): Promise<string | undefined> {
  const gateway = p256();
  if (owner) await street.cloud.claim(street[owner], street[owner].org, gateway);
  const messages = new Map<string, object>();
  const replies = await Promise.all(moves.map((one) => send(street, gateway, one, messages)));
  const statuses = replies.map(({ status }) => status);
  const seen = { statuses, ownership: await ownershipOf(street, gateway.serial) };
  if (isSerial(moves, seen, owner)) return undefined;
  return `${JSON.stringify(moves)} of a gateway of ${owner ?? 'nobody'} ended as ${JSON.stringify(seen)}`;
}

function send(street: Street, gateway: GatewaySigner, move: Move, messages: Map<string, object>) {
  const { cloud } = street;
  const as = street[move.who];
  if (move.does === 'release') return cloud.call('DELETE', `/gateways/${gateway.serial}`, { as });
  if (move.does === 'provision') {
    const body = { gateway_serial: gateway.serial, hardware_id: 'X', device_type: 'inverter', site_id: as.site };
    return cloud.call('POST', '/devices/provision', { as, body });
  }
  const name = `${move.who} ${move.message}`;
  const body = messages.get(name) ?? cloud.claimOf(as, as.org, gateway);
  messages.set(name, body);
  return cloud.call('POST', '/gateways/claim', { as, body });
}

async function ownershipOf({ cloud, ada, bob }: Street, serial: string): Promise<Ending['ownership']> {
  const { db } = cloud.store;
  const nameOf = (org: string): Neighbour => (org === ada.org ? 'ada' : 'bob');
  const gateway = await db.selectFrom('gateways').where('serial', '=', serial).select('org_id').executeTakeFirst();
  const devices = await db.selectFrom('devices').where('gateway_serial', '=', serial).selectAll().execute();
  const holders = [ada.org, bob.org, null, undefined];
  if (!holders.includes(gateway?.org_id)) throw new Error('The gateway went to an identity outside of the race.');
  return {
    owner: gateway?.org_id ? nameOf(gateway.org_id) : null,
    devices: Object.fromEntries(devices.map(({ org_id, state }) => [nameOf(org_id), state])),
  };
}

/** Several callers use one challenge at once, with either signature: one succeeds. */
async function raceLogins(cloud: TestCloud, index: number): Promise<string | undefined> {
  const isGateway = index % 2 === 0;
  const key = isGateway ? p256() : ed25519();
  const { publicKey: public_key } = key;
  await cloud.call('POST', '/identity/register', { body: { public_key, ...(isGateway && { type: 'gateway' }) } });
  const { challenge } = (await cloud.call('POST', '/auth/challenge', { body: { public_key } })).body;
  const signature = key.sign(challenge);
  const spellings = isGateway ? [signature, twin(signature)] : [signature];
  const tries = Array.from({ length: 8 }, (_, at) => spellings[at % spellings.length]);
  const replies = await Promise.all(
    tries.map((signature) => cloud.call('POST', '/auth/verify', { body: { public_key, challenge, signature } })),
  );
  const entered = replies.filter(({ status }) => status === 200).length;
  const refused = replies.filter(({ body }) => body.error === 'challenge_invalid').length;
  return entered === 1 && refused === 7
    ? undefined
    : `${entered} of 8 entered with one challenge, ${refused} were refused`;
}

/** A platform that decides in one transaction and acts in another. */
export function decideBeforehand({ store }: TestCloud): void {
  const { write } = store;
  store.write = async (work) => {
    const decided = await tryOut(store, work);
    await new Promise(setImmediate);
    await write(work).catch(() => {});
    return decided;
  };
}
