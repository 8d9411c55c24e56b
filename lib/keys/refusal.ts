const wanted = 'an Ed25519 or P-256 public key as base64, base64url, hex or PEM is wanted';

// object identifiers with their DER tag and length
const kinds = [
  { name: 'a certificate', marker: 'a003020102' }, // [0] version 3, at the head of every X.509 v3 certificate
  { name: 'an encrypted private key', marker: '06092a864886f70d0105' },
  { name: 'an RSA key', marker: '06092a864886f70d010101' },
  { name: 'a secp256k1 key', marker: '06052b8104000a' },
  { name: 'a P-384 key', marker: '06052b81040022' },
  { name: 'a P-521 key', marker: '06052b81040023' },
  { name: 'an X25519 key', marker: '06032b656e' },
  { name: 'an X448 key', marker: '06032b656f' },
  { name: 'an Ed448 key', marker: '06032b6571' },
].map(({ name, marker }) => ({ name, marker: Buffer.from(marker, 'hex') }));

// PKCS #8, SEC1 and PKCS #1 private keys are a sequence that begins with the version, 0 or 1.
const privateKey = /^30(?:[0-7].|81..|82....)02010[01]/;

/** Why a text with these readings is no public key, as a sentence that repeats nothing of the text. */
export function refusal(text: string, readings: Buffer[]): string {
  if (text === '') return `The public key is empty; ${wanted}.`;
  return `This is ${kindOf(text, readings)}; ${wanted}.`;
}

function kindOf(text: string, readings: Buffer[]): string {
  if (text.trimStart().startsWith('{')) return 'a key in JSON';
  if (text.includes('PRIVATE KEY-----')) return 'a private key';
  if (text.includes('CERTIFICATE-----')) return 'a certificate';
  if (readings.length === 0) return 'not a text that can be decoded';
  if (readings.some((bytes) => privateKey.test(bytes.toString('hex', 0, 7)))) return 'a private key';
  const kind = kinds.find(({ marker }) => readings.some((bytes) => bytes.includes(marker)));
  return kind?.name ?? 'not a key of a known kind and length';
}
