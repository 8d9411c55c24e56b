import { route } from '../route.ts';
import { Type } from '../schema.ts';
import { Text } from '../text.ts';

const tag = 'Identity';

export const getCrypto = route({
  method: 'GET',
  path: '/api/crypto',
  tag,
  summary: 'Get the identity of this gateway',
  access: 'local',
  replies: {
    200: Type.Object({
      deviceName: Type.String(),
      serialNumber: Type.String(),
      publicKey: Type.String({ description: '128 hex digits, X then Y' }),
    }),
  },
});

const Signature = Type.String({ description: '128 hex digits, r then s, over SHA-256' });

export const signWallet = route({
  method: 'POST',
  path: '/api/crypto',
  tag,
  summary: 'Sign <device_id>:<wallet>',
  access: 'guarded',
  body: Type.Object({
    wallet: Type.String({
      minLength: 1,
      maxLength: 256,
      pattern: '^[^|\\p{Cc}\\p{Cs}]+$',
      description: '1 to 256 characters without control characters or pipes',
    }),
  }),
  replies: { 200: Type.Object({ idAndWallet: Type.String(), signature: Signature }) },
  problems: ['rate_limited'],
});

const Part = (maxLength: number) =>
  Type.String({
    maxLength,
    pattern: '^[^|\\p{Cc}\\p{Cs}]*$',
    description: `at most ${maxLength} characters without control characters or pipes`,
  });

export const signMessage = route({
  method: 'POST',
  path: '/api/crypto/sign',
  tag,
  summary: 'Sign <message>|<nonce>|<timestamp>|<serial>, for example to claim this gateway',
  access: 'guarded',
  body: Type.Object({ message: Type.Optional(Part(511)), timestamp: Type.Optional(Part(40)) }),
  replies: { 200: Type.Object({ sign: Signature, message: Type.String() }) },
  problems: ['rate_limited'],
});

export const listSignatures = route({
  method: 'GET',
  path: '/api/crypto/signatures',
  tag,
  summary: 'List the messages that this gateway signed recently, newest first',
  access: 'local',
  replies: {
    200: Type.Object({
      signatures: Type.Array(
        Type.Object({
          at: Type.Integer({ description: 'ms' }),
          message: Text(1024),
          from: Text(64, 'address of the requester'),
        }),
      ),
    }),
  },
});

export const identityRoutes = [getCrypto, signWallet, signMessage, listSignatures];
