const n = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n; // order of P-256

/** The other valid signature of the same message: s becomes n - s. */
export function twin(signature: string): string {
  const bytes = Buffer.from(signature, 'base64');
  const s = n - BigInt(`0x${bytes.subarray(32).toString('hex')}`);
  return Buffer.concat([bytes.subarray(0, 32), Buffer.from(s.toString(16).padStart(64, '0'), 'hex')]).toString(
    'base64',
  );
}
