import { type Evidence, testsIn } from '../evidence.ts';

const claims = (...titles: string[]) => testsIn('cloud/gateways/claim.test.ts', ...titles);
const identities = (...titles: string[]) => testsIn('cloud/identity/identity.test.ts', ...titles);
const telemetry = (...titles: string[]) => testsIn('cloud/telemetry/telemetry.test.ts', ...titles);
const admission = (...titles: string[]) => testsIn('cloud/broker/admission.test.ts', ...titles);
const embedded = (part: string, ...titles: string[]) => testsIn(`cloud/broker/embedded/${part}.test.ts`, ...titles);
const attacks = (part: string, ...titles: string[]) => testsIn(`test/attacks/${part}.test.ts`, ...titles);

const matrix = attacks('authorization', 'the authorization matrix on …', 'what routes declare is what was reviewed');

/** Tokens, rights and the broker. */
export const attacksOnAccess: readonly Evidence[] = [
  {
    id: 'A18',
    what: 'A token that the platform did not make in this very form is no token.',
    tests: [
      ...attacks(
        'tokens',
        'more than sixty forged ones are each refused with 401',
        'a token in another spelling is at most the same token, and ends with it',
      ),
      ...attacks(
        'hostile-signatures',
        'none is under a token of the API, and the good one they are made from is',
        'none is under the token of a gateway at the broker, where DER is none either, and the good one is',
      ),
      ...admission('passwords that are no token are refused', 'a token with a secret for a key (HS256) is refused'),
    ],
  },
  {
    id: 'A19',
    what: 'The name of a key is looked up among ours; keys and addresses in a header are not looked at.',
    tests: attacks('tokens', 'no kid opens the door, and no address in a header is asked'),
  },
  {
    id: 'A20',
    what: 'Each kind of token is good in one place, and on one platform.',
    tests: [
      ...testsIn('test/oauth/kinds.test.ts', 'kinds of token and those who check them'),
      ...attacks('tokens', 'the broker token of a gateway is no token of the API'),
      ...identities('a token for another deployment is refused though our key signed it'),
    ],
  },
  {
    id: 'A21',
    what: 'Keys rotate without a good token being refused, and a key that is over verifies nothing.',
    tests: [
      ...attacks('tokens', 'while keys rotate again and again no good token is refused, at any of two processes'),
      ...testsIn(
        'cloud/identity/key-ring.test.ts',
        'a rotation, made elsewhere, is noticed: old tokens hold for their life, new ones bear the published next key',
      ),
    ],
  },
  {
    id: 'A22',
    what: 'Whoever lost access has lost it with the next request, and streams end.',
    tests: [
      ...telemetry('a stream ends when the token is revoked, and when the member is removed'),
      ...testsIn('cloud/identity/key-ring.test.ts', 'a token revoked by another process ends within a second'),
      ...testsIn('cloud/access/idempotency.test.ts', 'who lost access gets no old answer'),
      ...testsIn('test/oauth/ending.test.ts', 'when …, tokens and streams end within 5 s'),
    ],
  },
  {
    id: 'A23',
    what: 'A token is taken from its header and nowhere else.',
    tests: [
      ...testsIn('test/oauth/metadata.test.ts', 'a bearer token is taken from the header alone'),
      ...identities('forged tokens are refused, each with 401'),
    ],
  },
  {
    id: 'A24',
    what: 'A gateway waits until its clock can be right; the platform bears a minute.',
    tests: [
      ...testsIn('gateway/uplink/uplink.test.ts', 'nothing is sent before the clock can be right'),
      ...admission(
        'a token with a clock that is 50 s ahead is good',
        'a token with its beginning too far ahead is refused',
        'a token with its end behind it is refused',
      ),
    ],
  },
  {
    id: 'A25',
    what: 'Everybody asks every route about every object: what was not reviewed as allowed is refused, and not visible reads as not there.',
    tests: [...matrix, ...attacks('authorization', 'a route that asks for less than was reviewed is noticed')],
  },
  {
    id: 'A26',
    what: 'Objects of different organizations do not mix.',
    tests: [
      ...attacks(
        'claim-fields',
        'provisioning takes a gateway and a site of the same organization, out of four places each',
      ),
      ...testsIn(
        'cloud/devices/provision.test.ts',
        'a gateway that is not there, not visible or of another organization of mine',
      ),
    ],
  },
  {
    id: 'A27',
    what: 'Another spelling of a path, a method or a header opens nothing.',
    tests: [
      ...attacks('spellings', 'no other spelling of a path, method or header opens what its plain spelling does not'),
      ...testsIn('cloud/broker/callouts.test.ts', 'without the secret there is no answer but 401'),
    ],
  },
  {
    id: 'A28',
    what: 'Lists hold what is theirs; the names of a neighbour are in no answer to anybody else.',
    tests: [
      ...matrix,
      ...testsIn(
        'cloud/access/paging.test.ts',
        "pages of … show every site of the caller once, and nobody else's",
        'GET …: an empty org_id is no filter, an unknown or invisible one leaves nothing',
      ),
      ...testsIn(
        'test/canaries/canaries.test.ts',
        'no answer tells a stranger anything of a household',
        'neighbours at their streams and at the broker hear of their own home only',
        'somebody of the household who is taken for a stranger is found out',
      ),
    ],
  },
  {
    id: 'A29',
    what: 'An application does what it was allowed, where it was allowed, and no more than the person could.',
    tests: [
      ...matrix,
      ...testsIn(
        'test/oauth/scopes.test.ts',
        'each route is open to the scope it declares, in the organization that was chosen, and to no other',
        'an application can do no more than the person can, now',
      ),
    ],
  },
  {
    id: 'A30',
    what: 'A device that is added anew, by whomever, is another device without a past.',
    tests: [
      ...testsIn('cloud/devices/provision.test.ts', 'a device is renamed, deleted, and made anew without its past'),
      ...claims('a transfer orphans the devices, hides the gateway from its old organization, and tells both'),
    ],
  },
  {
    id: 'A31',
    what: 'A field that a body does not have is refused, whatever it is called.',
    tests: attacks('bad-input', '… … refuses what is no body of its own, and stores nothing'),
  },
  {
    id: 'A32',
    what: 'A filter is granted when everything it matches is for the ears of whoever asks.',
    tests: [
      ...attacks('broker', '… is granted no filter that matches one of … topics of others'),
      ...testsIn(
        'cloud/broker/topic-filter.test.ts',
        'a filter matches what the specification says',
        'a filter is refused only when it matches something that is not allowed, or the broker’s own topics',
      ),
      ...embedded('subscribe', 'a gateway is granted what is for it, and nothing above'),
    ],
  },
  {
    id: 'A33',
    what: 'No name at the broker can be read as a filter.',
    tests: [
      ...attacks('claim-fields', 'a serial that could be read as a topic filter is no serial'),
      ...admission(
        'names with wildcards are nobody',
        'a client id is the serial, or carries it first or last behind a dash',
      ),
    ],
  },
  {
    id: 'A34',
    what: 'A gateway speaks for itself alone.',
    tests: [
      ...attacks('broker', 'of two gateways each publishes below its own serial alone'),
      ...embedded('publish', 'publishing elsewhere ends the connection'),
      ...admission('a token does not open the door of another gateway'),
    ],
  },
  {
    id: 'A35',
    what: 'Nobody takes over the connection of another.',
    tests: [
      ...attacks(
        'broker',
        'five hundred strangers with a token of their own and the client id of another put nobody out',
      ),
      ...embedded(
        'login',
        'a client id is taken over by the same gateway only',
        'a client id that fits the names of two gateways belongs to the first',
      ),
    ],
  },
  {
    id: 'A36',
    what: 'A command reaches who is connected now; none is kept, retained or left as a will.',
    tests: [
      ...embedded('subscribe', 'a command reaches who is connected, and is not kept for who is not'),
      ...embedded('publish', 'nothing is retained', 'a will where the client may not publish is refused at login'),
      ...testsIn('gateway/uplink/uplink.test.ts', 'commands are handed over with whether they were retained'),
      ...testsIn('gateway/control/cloud-command.test.ts', 'a command that is too old has no time left'),
      ...testsIn('test/faults/control.test.ts', 'messages that are no commands are passed over'),
    ],
  },
  {
    id: 'A37',
    what: 'A connection ends with its token or its right.',
    tests: [
      ...embedded(
        'login',
        'the connection ends when the token does',
        'a disconnected gateway, member or token is gone at once',
      ),
      ...testsIn('cloud/broker/rabbitmq/evictions.test.ts', 'a connection ends with its token'),
    ],
  },
  {
    id: 'A38',
    what: 'Who connects too often, sends too much, subscribes too much or does not read costs nobody else anything.',
    tests: [
      ...embedded(
        'doors',
        'who connects and says nothing, or only half, is shown out',
        'a packet that announces more than allowed is not waited for',
        'an address has a limit of connections, and gets room again when one goes',
        'an address has a limit of attempts',
        'noise does no harm',
      ),
      ...embedded('publish', 'a client that sends too fast is slowed down, and loses nothing'),
      ...embedded(
        'subscribe',
        'a client has at most 50 subscriptions, and may repeat one',
        'a member that does not read costs a bounded queue, and nobody else waits for it',
      ),
    ],
  },
  {
    id: 'A39',
    what: 'While nobody can be looked up nobody new comes in, and who is in stays.',
    tests: [
      ...attacks(
        'broker',
        'a broker that asks is told to deny, with 200, and afterwards to allow',
        'nobody new comes in, and who is in stays and is heard',
      ),
      ...testsIn(
        'cloud/broker/rabbitmq.test.ts',
        '…, lets nobody new in, keeps who is in, and is itself again afterwards',
        'is not there, lets nobody new in, keeps who is in, and is itself again afterwards',
      ),
      ...testsIn('cloud/broker/callouts.test.ts', 'whatever is wrong, the answer is 200 and deny'),
      ...admission('nobody is admitted while the database cannot be asked'),
    ],
  },
];
