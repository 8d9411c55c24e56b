import type { Bug } from '../bug.ts';

const keyTest = 'lib/keys/public-key.test.ts';
const signatureTest = 'lib/keys/signature.test.ts';
const jsonTest = 'lib/json.test.ts';

/** Keys, signatures and the JSON they come in. */
export const keyBugs: readonly Bug[] = [
  {
    id: 'a key of small order is taken',
    proves: ['A03', 'S9'],
    file: 'lib/keys/public-key.ts',
    from: 'if (isSmallOrder(y)) throw',
    to: 'if (y < 0n) throw',
    noticedBy: keyTest,
  },
  {
    id: 'an Ed25519 key has two spellings',
    proves: ['A03', 'A04'],
    file: 'lib/keys/ed25519.ts',
    from: 'return y < p ? y : undefined;',
    to: 'return y;',
    noticedBy: keyTest,
  },
  {
    id: 'an Ed25519 key is no point of its curve',
    proves: ['A03'],
    file: 'lib/keys/public-key.ts',
    from: 'if (!isOnCurve(y)) throw',
    to: 'if (y < 0n) throw',
    noticedBy: keyTest,
  },
  {
    id: 'a P-256 key is no point of its curve',
    proves: ['A04'],
    file: 'lib/keys/p256.ts',
    from: 'return x < p && y < p && mod(y * y, p) === ySquared(x);',
    to: 'return x < p && y < p;',
    noticedBy: keyTest,
  },
  {
    id: 'text is read as base64 whatever its spelling',
    proves: ['A04'],
    file: 'lib/keys/encoding.ts',
    from: 'bytes.length > 0 && (text === bare || text === padded) ? bytes : undefined',
    to: 'bytes.length > 0 && padded ? bytes : undefined',
    noticedBy: 'lib/keys/encoding.test.ts',
  },
  {
    id: 'DER may have more behind its second number',
    proves: ['A02', 'S9'],
    file: 'lib/keys/ecdsa-der.ts',
    from: 'if (!s || s.rest.length > 0) return undefined;',
    to: 'if (!s) return undefined;',
    noticedBy: signatureTest,
  },
  {
    id: 'DER may pad its numbers',
    proves: ['A02', 'S9'],
    file: 'lib/keys/ecdsa-der.ts',
    from: 'if (isNegative || hasSpareZero || digits',
    to: 'if (isNegative || digits',
    noticedBy: signatureTest,
  },
  {
    id: 'two texts share a signature',
    proves: ['A08'],
    file: 'lib/keys/signature.ts',
    from: "if (typeof message === 'string' && !message.isWellFormed()) return false;",
    to: '',
    noticedBy: signatureTest,
  },
  {
    id: 'JSON may name __proto__',
    proves: ['A51'],
    file: 'lib/json.ts',
    from: "if (dangerousKeys.has(key)) fail('The key is not allowed.');",
    to: '',
    noticedBy: jsonTest,
  },
  {
    id: 'JSON may name a key twice',
    proves: ['A18', 'A40'],
    file: 'lib/json.ts',
    from: "if (inside.keys.has(key)) fail('The key appears twice in one object.');",
    to: '',
    noticedBy: jsonTest,
  },
  {
    id: 'JSON may hold infinity',
    proves: ['A40'],
    file: 'lib/json.ts',
    from: "if (isInfinite(text.slice(i, end))) fail('The number is too large.');",
    to: '',
    noticedBy: jsonTest,
  },
  {
    id: 'JSON may be nested without end',
    proves: ['A47'],
    file: 'lib/json.ts',
    from: 'if (open.length === maxDepth) fail',
    to: 'if (open.length === Number.MAX_SAFE_INTEGER) fail',
    noticedBy: jsonTest,
  },
];
