// SubjectPublicKeyInfo in DER is a fixed head for each of the three shapes, followed by the point and nothing else.
// Comparing whole heads leaves no room for explicit curve parameters, other lengths or trailing bytes.
const shapes = [
  { algorithm: 'Ed25519', pointLength: 32, head: '302a300506032b6570032100' },
  { algorithm: 'ES256', pointLength: 65, head: '3059301306072a8648ce3d020106082a8648ce3d030107034200' },
  { algorithm: 'ES256', pointLength: 33, head: '3039301306072a8648ce3d020106082a8648ce3d030107032200' },
] as const;

export type EncodedPoint = { algorithm: 'Ed25519' | 'ES256'; point: Buffer };

export function unwrapSpki(der: Buffer): EncodedPoint | undefined {
  for (const { algorithm, pointLength, head } of shapes) {
    const point = der.subarray(head.length / 2);
    const isShape = point.length === pointLength && der.toString('hex', 0, head.length / 2) === head;
    if (isShape) return { algorithm, point };
  }
  return undefined;
}

export function wrapSpki(point: Buffer): Buffer {
  const shape = shapes.find(({ pointLength }) => pointLength === point.length);
  if (!shape) throw new RangeError(`No public key has ${point.length} bytes.`);
  return Buffer.concat([Buffer.from(shape.head, 'hex'), point]);
}
