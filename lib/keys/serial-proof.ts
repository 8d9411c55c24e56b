import { hash } from 'node:crypto';
import { type PublicKey, p256Xy } from './public-key.ts';

/** The 16 hex digits by which a serial proves that it belongs to this P-256 key. */
export const serialProof = (key: PublicKey): string => hash('sha256', p256Xy(key), 'hex').slice(0, 16);
