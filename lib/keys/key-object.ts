import { createPublicKey, type KeyObject } from 'node:crypto';
import type { PublicKey } from './public-key.ts';
import { recent } from './recent.ts';
import { wrapSpki } from './spki.ts';

const imported = recent<KeyObject>();

/** The key as Node verifies with it, kept because an import costs up to half a verification. */
export const keyObjectOf = ({ text, raw }: PublicKey): KeyObject =>
  imported(text, () => createPublicKey({ key: wrapSpki(raw), format: 'der', type: 'spki' }));
