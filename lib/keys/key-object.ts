import { createPublicKey, type KeyObject } from 'node:crypto';
import type { PublicKey } from './public-key.ts';
import { wrapSpki } from './spki.ts';

const maxKeys = 1024;
const imported = new Map<string, KeyObject>(); // in order of use, the least recent first

/** The key as Node verifies with it, kept because an import costs up to half a verification. */
export function keyObjectOf(key: PublicKey): KeyObject {
  const object = imported.get(key.text) ?? createPublicKey({ key: wrapSpki(key.raw), format: 'der', type: 'spki' });
  imported.delete(key.text);
  imported.set(key.text, object);
  if (imported.size > maxKeys) imported.delete(imported.keys().next().value!);
  return object;
}
