/** r||s, 64 bytes, from SEQUENCE { INTEGER r, INTEGER s } in strict DER; undefined for anything else. */
export function decodeEcdsaDer(der: Buffer): Buffer | undefined {
  if (der[0] !== 0x30 || der[1] !== der.length - 2 || der.length > 72) return undefined;
  const r = readInteger(der.subarray(2));
  if (!r) return undefined;
  const s = readInteger(r.rest);
  if (!s || s.rest.length > 0) return undefined;
  return Buffer.concat([r.value, s.value]);
}

/** The first INTEGER, positive, in its shortest form, as 32 bytes. */
function readInteger(der: Buffer): { value: Buffer; rest: Buffer } | undefined {
  const length = der[1] ?? 0;
  const content = der.subarray(2, 2 + length);
  if (der[0] !== 0x02 || length === 0 || content.length !== length) return undefined;

  const [first, second] = content;
  const isNegative = first! >= 0x80;
  const hasSpareZero = first === 0 && second !== undefined && second < 0x80;
  const digits = first === 0 ? content.subarray(1) : content;
  if (isNegative || hasSpareZero || digits.length > 32) return undefined;
  return { value: Buffer.concat([Buffer.alloc(32 - digits.length), digits]), rest: der.subarray(2 + length) };
}
