/** A message of the bus: a topic and a text. */
export type Frame = { topic: string; payload: string };

const lengthBytes = 4;

/** Packs frames: topic and payload, each after its length in bytes. */
export function packFrames(frames: readonly Frame[]): Buffer {
  const parts: Buffer[] = [];
  for (const { topic, payload } of frames) {
    for (const text of [topic, payload]) {
      const bytes = Buffer.allocUnsafe(lengthBytes + Buffer.byteLength(text));
      bytes.writeUInt32BE(bytes.write(text, lengthBytes));
      parts.push(bytes);
    }
  }
  return Buffer.concat(parts);
}

export function* unpackFrames(bytes: Buffer): Generator<Frame> {
  let at = 0;
  const next = (): string => {
    const begin = at + lengthBytes;
    at = begin + bytes.readUInt32BE(at);
    if (at > bytes.length) throw new Error('A message of the bus is cut short.');
    return bytes.toString('utf8', begin, at);
  };
  while (at < bytes.length) yield { topic: next(), payload: next() };
}
