/** A PUBLISH of quality of service 1, where it lies in a chunk of packets. */
export type PublishPacket = {
  id: number;
  topic: string;
  payload: Buffer;
  /** where the next packet begins */
  end: number;
};

const publishQos1 = 0x32;
const kindAndQos = 0xf6; // but not whether it is retained or sent again
const mostDigits = 4; // MQTT 3.1.1, 2.2.3

/** The packet that begins here: undefined when it is of another kind or makes no sense, 'begun' when its end is missing. */
export function readPublish(chunk: Buffer, begin: number): PublishPacket | 'begun' | undefined {
  if ((chunk[begin]! & kindAndQos) !== publishQos1) return undefined;
  let at = begin + 1;
  let length = 0;
  for (let digit = 0; ; digit++) {
    if (at === chunk.length) return 'begun';
    const byte = chunk[at++]!;
    length += (byte & 0x7f) << (7 * digit);
    if (byte < 0x80) break;
    if (digit === mostDigits - 1) return undefined;
  }
  const end = at + length;
  if (end > chunk.length) return 'begun';
  const topicAt = at + 2;
  const idAt = topicAt + ((chunk[at]! << 8) | chunk[at + 1]!);
  if (length < 4 || idAt + 2 > end) return undefined;
  const id = (chunk[idAt]! << 8) | chunk[idAt + 1]!;
  const topic = chunk.toString('utf8', topicAt, idAt);
  return { id, topic, payload: chunk.subarray(idAt + 2, end), end };
}

const pubackBytes = 4;

/** PUBACK packets, one after the other. */
export function acknowledgements(ids: readonly number[]): Buffer {
  const packets = Buffer.allocUnsafe(ids.length * pubackBytes);
  for (let i = 0; i < ids.length; i++) packets.writeUInt32BE(0x4002_0000 + ids[i]!, i * pubackBytes);
  return packets;
}
