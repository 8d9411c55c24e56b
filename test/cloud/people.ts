import { generateKeyPairSync, hash, type KeyObject, sign } from 'node:crypto';

export type Signer = { publicKey: string; privateKey: KeyObject; sign(text: string): string };

/** A person's or developer's key. */
export function ed25519(): Signer {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return {
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64'),
    privateKey,
    sign: (text) => sign(null, Buffer.from(text), privateKey).toString('base64'),
  };
}

export type GatewaySigner = Signer & { serial: string };

/** A gateway's key, with the serial that proves it belongs to the key unless another is given. */
export function p256(serial?: string): GatewaySigner {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const xy = publicKey.export({ type: 'spki', format: 'der' }).subarray(-64);
  return {
    publicKey: Buffer.concat([Buffer.from([4]), xy]).toString('base64'),
    privateKey,
    serial: serial ?? `ohm-${hash('sha256', xy, 'hex').slice(0, 16)}`,
    sign: (text) =>
      sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64'),
  };
}
