import { routesOf } from '../route.ts';
import { Text, Type, texts } from '../schema.ts';

const tag = 'Identity';
const local = routesOf({ tag, access: 'local' });
const guarded = routesOf({ tag, access: 'guarded' }, local.all);

export const getCrypto = local.get('/api/crypto', 'Get the identity of this gateway', {
  replies: {
    200: Type.Object({
      ...texts('deviceName', 'serialNumber'),
      publicKey: Type.String({ description: '128 hex digits, X then Y' }),
    }),
  },
});

const Signature = Type.String({ description: '128 hex digits, r then s, over SHA-256' });

export const signWallet = guarded.post('/api/crypto', 'Sign <device_id>:<wallet>', {
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

export const signMessage = guarded.post('/api/crypto/sign', 'Sign <message>|<nonce>|<timestamp>|<serial>', {
  description: 'For example to claim this gateway.',
  body: Type.Object({ message: Type.Optional(Part(511)), timestamp: Type.Optional(Part(40)) }),
  replies: { 200: Type.Object({ sign: Signature, message: Type.String() }) },
  problems: ['rate_limited'],
});

export const listSignatures = local.get('/api/crypto/signatures', 'List recently signed messages, newest first', {
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

export const identityRoutes = local.all;
