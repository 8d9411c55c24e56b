import { isTimely, parseClaim } from '#contract/claim.ts';
import { fromBase64 } from '#contract/client/key.ts';
import type { SignedClaim } from '#contract/cloud/gateways.ts';

// Browser counterpart of lib/keys: accepts the same key and signature formats, verified by Web Crypto.
const curve = { name: 'ECDSA', namedCurve: 'P-256' };

/** Decodes a text as hex and as base64 or base64url. */
function decodings(text: string): Uint8Array<ArrayBuffer>[] {
  const found: Uint8Array<ArrayBuffer>[] = [];
  const hex = text.replace(/^0x/, '');
  if (hex !== '' && hex.length % 2 === 0 && /^[0-9a-f]+$/i.test(hex)) {
    found.push(Uint8Array.from(hex.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16)));
  }
  if (/^[\w+/-]+={0,2}$/.test(text) && text.replace(/=+$/, '').length % 4 !== 1) {
    found.push(fromBase64(text));
  }
  return found;
}

const pem = /^\s*-----BEGIN PUBLIC KEY-----([\s\S]+)-----END PUBLIC KEY-----\s*$/;

const concatBytes = (...parts: Iterable<number>[]): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(parts.flatMap((part) => [...part]));

async function importKey(bytes: Uint8Array<ArrayBuffer>): Promise<CryptoKey | undefined> {
  const isPoint = [33, 64, 65].includes(bytes.length);
  const encoded = bytes.length === 64 ? concatBytes([4], bytes) : bytes;
  try {
    return await crypto.subtle.importKey(isPoint ? 'raw' : 'spki', encoded, curve, true, ['verify']);
  } catch {
    return undefined; // not on the curve, or another kind of key
  }
}

/** Parses a P-256 public key in any format that the platform accepts. */
async function parsePublicKey(text: string): Promise<CryptoKey | undefined> {
  const inside = pem.exec(text)?.[1]?.replaceAll(/\s/g, '');
  for (const bytes of decodings(inside ?? text.trim())) {
    const key = await importKey(bytes);
    if (key) return key;
  }
  return undefined;
}

/** Returns the 16 hex digits that bind a serial number to this key. */
async function keyFingerprint(key: CryptoKey): Promise<string> {
  const point = new Uint8Array(await crypto.subtle.exportKey('raw', key));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', point.subarray(1)));
  return Array.from(digest.subarray(0, 8), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Verifies a signature (r and s, or DER; hex, base64 or base64url). */
async function verifySignature(key: CryptoKey, text: string, signature: string): Promise<boolean> {
  const message = new TextEncoder().encode(text);
  for (const bytes of decodings(signature.trim())) {
    for (const rs of [bytes, parseDerSignature(bytes)]) {
      if (rs?.length !== 64) continue;
      if (await crypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, key, rs, message)) return true;
    }
  }
  return false;
}

/** Returns r and s of SEQUENCE { INTEGER r, INTEGER s }, 32 bytes each. */
function parseDerSignature(der: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> | undefined {
  if (der[0] !== 0x30 || der[1] !== der.length - 2) return undefined;
  const r = readInteger(der.subarray(2));
  const s = r && readInteger(r.rest);
  return r && s && s.rest.length === 0 ? concatBytes(r.value, s.value) : undefined;
}

function readInteger(der: Uint8Array): { value: Uint8Array; rest: Uint8Array } | undefined {
  const length = der[1] ?? 0;
  const content = der.subarray(2, 2 + length);
  const digits = content[0] === 0 ? content.subarray(1) : content;
  if (der[0] !== 0x02 || content.length !== length || digits.length === 0 || digits.length > 32) return undefined;
  return { value: concatBytes(new Uint8Array(32 - digits.length), digits), rest: der.subarray(2 + length) };
}

/** A signed claim, with its origin if the page got it from the gateway itself. */
export type SignedGatewayClaim = { claim: SignedClaim; from?: { url: string; name: string; isConnected: boolean } };

/** 'open' means that only the platform can decide. */
export type Check = {
  about: 'form' | 'claimer' | 'nonce' | 'time' | 'serial' | 'key' | 'binding' | 'signature';
  verdict: 'good' | 'bad' | 'open';
  /** the checked part of the message or claim */
  value: string;
};

/** Repeats the platform's checks one by one, so that the page can show what to fix. */
export async function checkClaim(
  { gateway_serial: serial, public_key: publicKey, message, signature }: SignedClaim,
  claimerId: string,
  nowMs: number,
): Promise<Check[]> {
  const signed = parseClaim(message);
  const key = await parsePublicKey(publicKey);
  const isSigned = key !== undefined && (await verifySignature(key, message, signature));
  const check = (about: Check['about'], isGood: boolean, value: string): Check => ({
    about,
    verdict: isGood ? 'good' : 'bad',
    value,
  });
  return [
    check('form', signed !== undefined, message),
    ...(signed
      ? [
          check('claimer', signed.claimerId === claimerId, signed.claimerId),
          { about: 'nonce', verdict: 'open', value: signed.nonce } as const,
          check('time', isTimely(signed.atMs, nowMs), new Date(signed.atMs).toISOString()),
          check('serial', signed.serial === serial, signed.serial),
        ]
      : []),
    check('key', key !== undefined, publicKey),
    ...(key ? [{ about: 'binding', verdict: await checkBinding(serial, key), value: serial } as const] : []),
    check('signature', isSigned, signature),
  ];
}

/** A serial number derived from the key proves itself; otherwise only the platform knows which key it is bound to. */
const checkBinding = async (serial: string, key: CryptoKey): Promise<'good' | 'open'> =>
  serial.endsWith(`-${await keyFingerprint(key)}`) ? 'good' : 'open';
