import type { Db } from '../store/engine.ts';
import { listKnownSerials } from '../store/gateways.ts';
import { listKnownIdentities } from '../store/identities.ts';

/** Returns whether a user name is an identity id; gateways use their serial. */
export const isMember = (username: string): boolean => /^idt-[0-9a-f-]{36}$/.test(username);

const clientIdForm = /^[A-Za-z0-9_:.-]{3,192}$/;

/**
 * Returns whether a client id has the form that its owner may use: the owner's name, alone or as the first or last part,
 * separated by a dash. The rule is the same on every broker: RabbitMQ has one connection and one queue per client id.
 */
export function isClientIdOf(owner: string, clientId: string): boolean {
  if (!clientIdForm.test(clientId)) return false;
  if (clientId === owner) return true;
  const hasMore = clientId.length > owner.length + 1;
  return hasMore && (clientId.startsWith(`${owner}-`) || clientId.endsWith(`-${owner}`));
}

/** Returns whether a client id belongs to another owner: the longest known name in it wins, and the first of equal ones. */
export async function isClientIdOfAnother(owner: string, clientId: string, db: Db): Promise<boolean> {
  const dashes = [...clientId.matchAll(/-/g)].map(({ index }) => index);
  const stronger = [
    ...dashes.map((at) => clientId.slice(0, at)).filter((name) => name.length >= owner.length),
    ...dashes.map((at) => clientId.slice(at + 1)).filter((name) => name.length > owner.length),
    clientId,
  ].filter((name) => name !== owner);
  if (stronger.length === 0) return false;
  const known = await Promise.all([listKnownSerials(db, stronger), listKnownIdentities(db, stronger)]);
  return known.some((names) => names.length > 0);
}
