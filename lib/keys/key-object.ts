import { createPublicKey, type KeyObject } from 'node:crypto';
import { RecentMap } from '../recent-map.ts';
import type { PublicKey } from './public-key.ts';
import { wrapSpki } from './spki.ts';

const imported = new RecentMap<KeyObject>(1024);

/** The key as Node verifies with it, kept because an import costs up to half a verification. */
export const keyObjectOf = ({ text, raw }: PublicKey): KeyObject =>
  imported.getOrMake(text, () => createPublicKey({ key: wrapSpki(raw), format: 'der', type: 'spki' }));
