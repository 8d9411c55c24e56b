import { type Access, can, type IdentityType, identityTypes, type Need, roles } from '../access.ts';

/** Who may call, as a sentence for people. */
export function accessInWords(access: Access): string {
  if (access === 'public') return 'Anybody.';
  if (access === 'internal') return 'A broker or a peer with the internal secret.';
  if (access === 'local') return 'Anybody on the network of the gateway.';
  if (access === 'guarded')
    return 'Anybody on the network of the gateway; with the local token when LOCAL_API=guarded.';
  const needs = access.needs.map(needInWords).join(', and ');
  return `${whoInWords(access.identity)}${needs && `, ${needs}`}.`;
}

const isForEveryIdentity = (identity: readonly IdentityType[]): boolean =>
  identityTypes.every((type) => identity.includes(type));

function whoInWords(identity: readonly IdentityType[]): string {
  return isForEveryIdentity(identity) ? 'Anyone signed in' : `Anyone signed in as ${listing(identity)}`;
}

function needInWords({ right, on, from, filter, orSelf }: Need): string {
  const holders = listing(roles.filter((role) => can(role, right)));
  const need = `with the right to ${right} the ${on} in \`${from}\` (${holders})`;
  const exception = orSelf ? `, or to read it when \`${orSelf}\` is the caller` : '';
  return `${need}${exception}${filter ? `, when \`${from}\` is given (without it the list is empty)` : ''}`;
}

const listing = (words: readonly string[]): string => words.join(', ').replace(/, ([^,]*)$/, ' or $1');
