import { randomBytes } from 'node:crypto';

export const secretKinds = [
  'PEM',
  'JWT',
  'session token',
  'refresh token',
  'client secret',
  'broker password',
  'Wi-Fi psk',
  'challenge',
  'code',
  'gateway key',
  'operator token',
  'database password',
] as const;
export type SecretKind = (typeof secretKinds)[number];

/** Secrets, and the forms in which they are searched for. */
export type Secrets = {
  keep(kind: SecretKind, text: string): string;
  kinds(): Set<SecretKind>;
  texts(): string[];
  /** Secrets in a text, also URL-encoded. */
  foundIn(text: string): SecretKind[];
};

export function createSecrets(): Secrets {
  const kept: { kind: SecretKind; text: string }[] = [];
  return {
    keep(kind, text) {
      kept.push({ kind, text });
      return text;
    },
    kinds: () => new Set(kept.map(({ kind }) => kind)),
    texts: () => kept.map(({ text }) => text),
    foundIn: (said) =>
      kept.filter(({ text }) => said.includes(text) || said.includes(encodeURIComponent(text))).map(({ kind }) => kind),
  };
}

export const someSecret = (): string => `canary${randomBytes(12).toString('hex')}`;

/** The middle of a PEM: the line with the key, whatever happens to line breaks. */
export const coreOf = (pem: string): string => pem.split('\n').toSorted((a, b) => b.length - a.length)[0]!;
