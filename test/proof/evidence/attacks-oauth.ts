import type { Evidence, TestName } from '../evidence.ts';

const of = (file: string, ...titles: string[]): TestName[] => titles.map((title) => ({ file, title }));

const supply = (...titles: string[]) => of('test/attacks/edges/supply-chain.test.ts', ...titles);
const oauth = (part: string, ...titles: string[]) => of(`test/oauth/${part}.test.ts`, ...titles);

/** OAuth, and what we are made of. */
export const attacksOnOAuth: readonly Evidence[] = [
  {
    id: 'A65',
    what: 'Nobody is sent to an address that is not, letter by letter, one that was registered.',
    tests: oauth(
      'attacks',
      'none of … addresses that are not the registered one is ever redirected to',
      'a second … gets an error page, not a redirect',
      '… is not registered',
      'on the loopback address any port matches, and nothing else differs',
    ),
  },
  {
    id: 'A66',
    what: 'A code is good once, for 60 s, for who asked for it; a second use takes back what the first one gave.',
    tests: [
      ...oauth(
        'single-use',
        'of ten redemptions at once one succeeds, and what it got is taken back',
        'a code that comes again later ends what it gave',
        'a code is good for 60 s',
      ),
      ...oauth('attacks', 'a code is bound to its verifier, its application and its address'),
    ],
  },
  {
    id: 'A67',
    what: 'There is no way without PKCE, and none with a plain challenge.',
    tests: oauth('attacks', '… is refused, for confidential applications too'),
  },
  {
    id: 'A68',
    what: 'Consent is given by the browser that was asked, in no frame, and the answer names the issuer.',
    tests: [
      ...oauth(
        'attacks',
        'a request is answered only by the browser that began it, with the token of a person',
        'cookies are not for scripts, not for other sites and not for other paths',
        'who refuses is sent back with access_denied, state and iss',
        'the error page shows what was sent as text, in a frame of nobody',
      ),
      ...oauth('page', 'a request that began in another browser is not answered'),
    ],
  },
  {
    id: 'A69',
    what: 'The secret of an application is asked for in the two places where it may be, and guessing it is slow.',
    tests: oauth(
      'attacks',
      'an application that has a secret must show it, in the body or the header and nowhere else',
      'guessing secrets is slowed down by the budget of sign-ins',
    ),
  },
  {
    id: 'A70',
    what: 'A refresh token that comes twice ends everything that came of the same consent.',
    tests: oauth(
      'single-use',
      'a refresh token rotates, and one that comes again ends its family',
      'of ten refreshes at once at most one succeeds, and the family ends',
    ),
  },
  {
    id: 'A71',
    what: 'Packages are exact, whole and from the registry, and run nothing at installation that is not allowed.',
    tests: supply(
      'are named by an exact version, here and in the lockfile',
      'come from the registry and nowhere else, and are what they were',
      'ask nobody for packages from other places',
      'run nothing when they are installed but what is allowed',
      'do not become more by themselves',
    ),
  },
  {
    id: 'A72',
    what: 'The list of all parts, with versions and hashes, is made from the lockfile.',
    tests: supply('a list of all parts is made without asking anybody'),
  },
  {
    id: 'A73',
    what: 'A gateway takes no update over the network.',
    reason: 'There is no self-update: a new version is installed by who administers the machine, as any other package.',
  },
];
