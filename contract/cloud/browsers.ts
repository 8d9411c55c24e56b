import { holder } from '../access.ts';
import { pairingMinutes } from '../pairing.ts';
import { routesOf } from '../route.ts';
import { KeyText, Nullable, OneOf, SignatureText, type Static, Text, Timestamp, Titled, Type } from '../schema.ts';

const own = routesOf({ tag: 'Identity', access: holder });
const bySecret = routesOf({ tag: 'Identity', access: 'public' }, own.all);

/** Browsers that an identity can add to the one that registered it. */
export const maxBrowsers = 10;

export const Browser = Titled('Browser', {
  id: Type.String(),
  description: Type.String({ description: 'the program, such as Chrome on Android, as it named itself' }),
  created_at: Timestamp,
});
export type Browser = Static<typeof Browser>;

export const listBrowsers = own.get('/identity/browsers', 'List the browsers that the caller has added', {
  description: 'Each signs in with its own key. The key that registered the identity is not listed.',
  replies: { 200: Type.Array(Browser) },
});

export const removeBrowser = own.delete('/identity/browsers/{browser_id}', 'Remove a browser that the caller added', {
  description: 'Its key can no longer sign in, and its sign-ins, streams and broker connections end within seconds.',
  replies: { 204: null },
  problems: ['not_found'],
});

export const NewPairing = Titled('NewPairing', {
  id: Type.String(),
  url: Type.String({ description: 'the link with its secret, which is shown only once' }),
  expires_at: Timestamp,
});
export type NewPairing = Static<typeof NewPairing>;

export const startPairing = own.post('/identity/pairing', 'Create a link that adds a browser', {
  description:
    `The link is valid for ${pairingMinutes} minutes and for one browser, which becomes able to sign in only after you confirm it. ` +
    'An earlier link of the caller becomes invalid.',
  replies: { 200: NewPairing },
  problems: ['quota_exceeded'],
  budget: 'login',
});

export const Pairing = Titled('Pairing', {
  id: Type.String(),
  expires_at: Timestamp,
  browser: Nullable(
    Type.Object(
      { public_key: Type.String(), description: Type.String() },
      { description: 'the one that opened the link' },
    ),
  ),
});
export type Pairing = Static<typeof Pairing>;

export const getPairing = own.get('/identity/pairing', 'Get the open link of the caller and who opened it', {
  replies: { 200: Type.Object({ pairing: Nullable(Pairing) }) },
});

export const cancelPairing = own.delete('/identity/pairing', 'Withdraw the open link of the caller', {
  replies: { 204: null },
});

export const confirmPairing = own.post('/identity/pairing/confirm', 'Add the browser that opened the link', {
  description:
    'The signature, by a key of the caller, is over `ohmstead add browser|<identity_id>|<pairing id>|<public_key>`: an access ' +
    'token alone adds no browser. Confirm only after the code that both browsers compute has been compared.',
  body: Type.Object({ public_key: KeyText, signature: SignatureText }),
  replies: { 200: Browser },
  problems: ['signature_invalid', 'conflict', 'gone', 'quota_exceeded'],
  budget: 'login',
});

export const joinPairing = bySecret.post(
  '/identity/pairing/join',
  'Ask to be added as a browser, by the secret of a link',
  {
    description:
      'The signature, by the new key, is over `ohmstead join|<secret>|<public_key>`. Repeat the request to learn whether the ' +
      'other browser has confirmed. 410 if the link is unknown, expired, withdrawn, or was opened by another browser.',
    body: Type.Object({ secret: Text(128, 'the fragment of the link'), public_key: KeyText, signature: SignatureText }),
    replies: {
      200: Type.Object({
        state: OneOf(['waiting', 'confirmed']),
        name: Nullable(Type.String({ description: 'of the person whose account it is' })),
        expires_at: Timestamp,
      }),
    },
    problems: ['signature_invalid', 'conflict', 'gone', 'unprocessable'],
    budget: 'login',
  },
);

export const browserRoutes = own.all;
