import { type Evidence, testsIn } from '../evidence.ts';

const claims = (...titles: string[]) => testsIn('cloud/gateways/claim.test.ts', ...titles);
const identities = (...titles: string[]) => testsIn('cloud/identity/identity.test.ts', ...titles);
const telemetry = (...titles: string[]) => testsIn('cloud/telemetry/telemetry.test.ts', ...titles);
const admission = (...titles: string[]) => testsIn('cloud/broker/admission.test.ts', ...titles);
const attacks = (part: string, ...titles: string[]) => testsIn(`test/attacks/${part}.test.ts`, ...titles);

/** Keys, logins and claims. */
export const attacksOnOwnership: readonly Evidence[] = [
  {
    id: 'A01',
    what: 'The other signature of a message that was used is a replay; the first use is good with either.',
    tests: [
      ...attacks('replay', 'a login with either S is good once, and its twin is a replay'),
      ...claims(
        'only the very same request is answered again; the message is good for nothing else',
        'either S value of a signature is good',
      ),
    ],
  },
  {
    id: 'A02',
    what: 'A signature has 64 bytes or is strict DER, and nothing else verifies, wherever one is taken.',
    tests: [
      ...attacks(
        'hostile-signatures',
        'none of … is a login, and the good one they are made from is',
        'none is a claim, and the good one they are made from is',
        'none is under a token of the API, and the good one they are made from is',
        'none is under the token of a gateway at the broker, where DER is none either, and the good one is',
        'keys that are no keys are refused wherever a key is taken',
        'a high s is good, and so is strict DER, for logins and claims',
      ),
      ...testsIn(
        'lib/keys/signature.test.ts',
        'every spelling of an ES256 signature verifies, as r||s and as DER, also with n - s',
        'DER with … does not verify',
        'an r or s of 0x… does not verify',
        'an … that begins with a zero verifies in 32 bytes and in the shortest DER, and in no other form',
        'an Ed25519 signature with S + L does not verify',
        'an Ed25519 signature with a nonce of zero and an R of y = … does not verify',
        'one flipped bit of the message or the signature does not verify',
        'no text and no bytes as a signature make it throw or verify',
      ),
    ],
  },
  {
    id: 'A03',
    what: 'Ed25519 keys of small order, and those written in more than one way, are no keys.',
    tests: [
      ...testsIn(
        'lib/keys/public-key.test.ts',
        'the Ed25519 point ……… of small order is refused',
        'every Ed25519 y of p or more is refused',
      ),
      ...testsIn(
        'lib/keys/signature.test.ts',
        'the identity as Ed25519 key and R, whose equation holds for every message, is refused',
        'an Ed25519 signature with S + L does not verify',
      ),
    ],
  },
  {
    id: 'A04',
    what: 'A key is of one of two kinds, and all its spellings are one identity.',
    tests: [
      ...testsIn(
        'lib/keys/public-key.test.ts',
        'a secp256k1 SPKI is refused',
        'a certificate as PEM is refused',
        'an Ed25519 private key is refused',
      ),
      ...testsIn(
        'lib/keys/public-key.property.test.ts',
        'every spelling of an Ed25519 key gives the same canonical text',
        'every spelling of a P-256 key gives the same canonical text',
        'a key that is accepted is accepted again by its canonical text; all else is a KeyError',
      ),
      ...identities('an Ed25519 key becomes a user; the same key in another spelling is the same identity'),
    ],
  },
  {
    id: 'A05',
    what: 'Nobody registers as one of those who run the platform.',
    tests: [
      ...identities(
        'nobody makes themselves root',
        'nobody makes themselves admin',
        'nobody makes themselves internal',
        'a P-256 key cannot be a user',
      ),
      ...attacks('bad-input', '… … refuses what is no body of its own, and stores nothing'),
    ],
  },
  {
    id: 'A06',
    what: 'A challenge signs in once, however many try at the same time.',
    tests: [
      ...identities('a challenge signs in once, even when two hundred try at the same time'),
      ...attacks('races', 'claims, releases, provisioning and logins at once end as if one came after the other, on …'),
    ],
  },
  {
    id: 'A07',
    what: 'A challenge ends to the millisecond, and a clock that is set back brings none back, used or not.',
    tests: [
      ...testsIn(
        'cloud/identity/challenge.test.ts',
        'a challenge that nobody used and that is over does not come back when the clock is set back',
        'a clock that is set back neither prolongs a challenge nor keeps anybody from a new one',
      ),
      ...identities('a challenge ends after 120 seconds, to the millisecond'),
      ...attacks('replay', 'a clock that is set back by an hour revives neither a used challenge nor a revoked token'),
    ],
  },
  {
    id: 'A08',
    what: 'A challenge is for one key, one purpose and one platform; nothing else that is signed is a login.',
    tests: [
      ...attacks(
        'replay',
        'of twelve keys and twelve challenges, each opens with its own',
        'a claim, a wallet proof and the input of a token are no login, and a login is no claim',
      ),
      ...identities(
        'the challenge is made of base64url characters and dots, and carries purpose and platform',
        'a challenge that is changed in any part is not ours',
      ),
    ],
  },
  {
    id: 'A09',
    what: 'Challenges take no room, tell nothing about who is known, and have a budget.',
    tests: [
      ...attacks('replay', 'two thousand challenges take no room, for known and unknown keys'),
      ...identities('known and unknown keys are answered alike'),
      ...testsIn('cloud/access/budgets.test.ts', 'a caller sees what is left of a budget, and when to come back'),
    ],
  },
  {
    id: 'A10',
    what: 'A gateway signs few times a minute and remembers for whom; with a local token it signs for nobody without it.',
    tests: [
      ...testsIn(
        'gateway/identity/identity.test.ts',
        'is given six times a minute, wallets included',
        'is remembered with who asked, and logged without itself',
      ),
      ...testsIn('gateway/access/door.test.ts', 'opens what is guarded', 'is asked of the platform too'),
      ...testsIn('test/gateway/guarded-routes.test.ts', '… is refused, and changes nothing'),
    ],
  },
  {
    id: 'A11',
    what: 'What a gateway signs has its own time and nonce and cannot be made to read as something else.',
    tests: [
      ...testsIn('gateway/identity/identity.test.ts', 'is not made over …', 'has its own nonce each time'),
      ...claims('a message eleven minutes ahead is refused', 'a message of five parts is refused'),
    ],
  },
  {
    id: 'A12',
    what: 'A serial belongs to one key, before and after it is claimed and released.',
    tests: [
      ...claims(
        'a signature by another key, an Ed25519 key, or a key for another serial is refused',
        'another serial is bound to the key of its first claim',
        'with GATEWAY_TRUST=listed only serials that prove themselves or are listed are claimed',
      ),
      ...testsIn('cloud/operator/gateways.test.ts', 'a listed gateway is claimed with its key and no other'),
    ],
  },
  {
    id: 'A13',
    what: 'An old claim does not bring a gateway back: not later, not elsewhere, not after a sale, a release or a restart.',
    tests: [
      ...attacks('replay', 'a claim that one process accepted is a replay at another, and after a restart'),
      ...claims(
        'an old claim does not bring a gateway back after a transfer or a release',
        'a claim within the same second as a transfer is still a replay',
      ),
    ],
  },
  {
    id: 'A14',
    what: 'A claim in which a single field, letter or bit is not right changes nothing.',
    tests: attacks(
      'claim-fields',
      'any one bit of the signature, or any one letter of the message, makes it another',
      'each field that names another is refused, though the gateway signed it so',
    ),
  },
  {
    id: 'A15',
    what: 'A transfer cuts off the organization that had the gateway and is told to both.',
    tests: [
      ...telemetry('transferred, the gateway is disconnected and its old organization gets no more'),
      ...claims('a transfer orphans the devices, hides the gateway from its old organization, and tells both'),
      ...testsIn(
        'cloud/telemetry/transfer.test.ts',
        'leaves the history of its devices at the site, beside what the next gateway brings',
        'brings nothing to its new owner that it measured for the old one',
        'shows its log no longer to the old owner',
        'is told to let go of what the old owner commanded',
      ),
      ...testsIn('cloud/telemetry/routing.test.ts', 'what is looked up while the registry changes is not remembered'),
    ],
  },
  {
    id: 'A16',
    what: 'Claims, releases and provisioning at once end as if one came after the other.',
    tests: attacks(
      'races',
      'claims, releases, provisioning and logins at once end as if one came after the other, on …',
      'the same schedules catch a platform that decides before it acts, on …',
    ),
  },
  {
    id: 'A17',
    what: 'A gateway that is released or goes elsewhere is sent away from the broker.',
    tests: [
      ...telemetry('released, the gateway is disconnected and its telemetry goes nowhere'),
      ...admission('a gateway that nobody claimed is refused, and one that was released'),
      ...testsIn('cloud/broker/rabbitmq.test.ts', 'whoever … is disconnected within 5 s, others stay'),
    ],
  },
];
