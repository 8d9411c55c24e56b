import { createCipheriv } from 'node:crypto';

export type Keys = { key: Buffer; authentication?: Buffer };

/** What the simulated meters are encrypted with; real ones get their key from the grid company. */
export const simKey = Buffer.from('5349304d00112233445566778899aabb', 'hex');

/** All meters of Luxembourg share this one. */
export const luxembourgAuthentication = Buffer.from('00112233445566778899aabbccddeeff', 'hex');

const [encrypted, authenticated] = [0x20, 0x10];

/** General-glo-ciphering: AES-128-GCM, with a tag of 12 bytes when there is an authentication key. */
export function encrypt(plain: Buffer, title: string, counter: number, { key, authentication }: Keys): Buffer {
  const security = Buffer.from([encrypted | (authentication ? authenticated : 0)]);
  const system = Buffer.from(title, 'latin1');
  const invocation = Buffer.alloc(4);
  invocation.writeUInt32BE(counter);
  const cipher = createCipheriv('aes-128-gcm', key, Buffer.concat([system, invocation]), { authTagLength: 12 });
  if (authentication) cipher.setAAD(Buffer.concat([security, authentication]));
  const secret = Buffer.concat([cipher.update(plain), cipher.final()]);
  const content = Buffer.concat([security, invocation, secret, ...(authentication ? [cipher.getAuthTag()] : [])]);
  return Buffer.concat([Buffer.from([0xdb, system.length]), system, lengthOf(content), content]);
}

function lengthOf({ length }: Buffer): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  return length < 0x100 ? Buffer.from([0x81, length]) : Buffer.from([0x82, length >> 8, length & 0xff]);
}
