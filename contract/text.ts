import type { Static, TSchema } from 'typebox';
import { Type } from './schema.ts';

// ajv compiles patterns with the u flag, so \p{Cs} catches lone surrogates, which no database stores as they are.
const printable = '^[^\\p{Cc}\\p{Cs}]*$';

/** A human's name for something: visible, one line. */
export const Name = Type.String({
  minLength: 1,
  maxLength: 128,
  pattern: '^(?=.*\\S)[^\\p{Cc}\\p{Cs}]*$',
  description: '1 to 128 characters, not blank, no control characters',
});

/** Free text of one line that may be empty. */
export const Text = (maxLength: number, description?: string) =>
  Type.String({ maxLength, pattern: printable, ...(description && { description }) });

/** The id of an object of this platform; anything else that looks like text is simply not found. */
export const Id = Text(128);

export const Timestamp = Type.String({ format: 'date-time', description: 'RFC 3339, UTC' });

/** Opaque gateway serial: it stands in topics and routing keys, so no dot and no wildcard. */
export const Serial = Type.String({ pattern: '^[A-Za-z0-9_:-]{3,64}$', description: '3 to 64 of A-Z a-z 0-9 _ : -' });

/** A public key in any of the accepted spellings. */
export const KeyText = Type.String({
  maxLength: 4096,
  pattern: '^[\\x20-\\x7e\\r\\n]*$', // the lines of a PEM
  description: 'base64, base64url, hex or PEM',
});

export const SignatureText = Text(1024, 'base64, base64url or hex');

/** Query of the lists that organizations hold. */
export const OrgFilter = Type.Optional(
  Text(128, 'only those of this organization; all when empty, none when the caller cannot see the organization'),
);

/** Query of the lists: how many, and after which. */
export const page = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: 'page size' })),
  cursor: Type.Optional(Text(512, 'opaque, from the Link header of the page before')),
};

export const Page = Type.Object(page);

/** One of these words. Written with its type, so that serializers need not try alternatives. */
export const OneOf = <const Word extends string>(words: readonly Word[], options: { description?: string } = {}) =>
  Type.Unsafe<Word>({ type: 'string', enum: words, ...options });

/** How many there are of each; of which there are none may be missing. */
export const CountsOf = <const Word extends string>(words: readonly Word[], options: { description?: string } = {}) =>
  Type.Unsafe<Partial<Record<Word, number>>>(
    Type.Object(Object.fromEntries(words.map((word) => [word, Type.Optional(Type.Integer())])), options),
  );

/** The value, or null for "known to be absent". */
export const Nullable = <S extends TSchema & { type: string }>(schema: S) =>
  Type.Unsafe<Static<S> | null>({ ...schema, type: [schema.type, 'null'] });
