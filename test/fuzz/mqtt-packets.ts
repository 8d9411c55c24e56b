// MQTT 3.1.1 packets, written from the specification.

const text = (value: string): Buffer => {
  const bytes = Buffer.from(value);
  return Buffer.concat([short(bytes.length), bytes]);
};

function short(value: number): Buffer {
  return Buffer.of(value >> 8, value & 0xff);
}

function packet(first: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const length: number[] = [];
  let rest = body.length;
  do {
    length.push((rest % 128) + (rest > 127 ? 128 : 0));
    rest = Math.floor(rest / 128);
  } while (rest > 0);
  return Buffer.concat([Buffer.of(first, ...length), body]);
}

type Login = { clientId: string; username: string; password: string; will?: { topic: string; payload: string } };

export function connectPacket({ clientId, username, password, will }: Login): Buffer {
  const flags = 0xc2 | (will ? 0x04 : 0);
  const willParts = will ? [text(will.topic), text(will.payload)] : [];
  return packet(
    0x10,
    text('MQTT'),
    Buffer.of(4, flags, 0, 60),
    text(clientId),
    ...willParts,
    text(username),
    text(password),
  );
}

type Publish = { topic: string; payload: string; qos: 0 | 1 | 2; id: number; isRetained?: boolean };

export const publishPacket = ({ topic, payload, qos, id, isRetained = false }: Publish): Buffer =>
  packet(0x30 | (qos << 1) | (isRetained ? 1 : 0), text(topic), ...(qos > 0 ? [short(id)] : []), Buffer.from(payload));

export const subscribePacket = (filter: string, id: number): Buffer =>
  packet(0x82, short(id), text(filter), Buffer.of(1));

export const unsubscribePacket = (filter: string, id: number): Buffer => packet(0xa2, short(id), text(filter));

/** An answer to a message that may not have been sent: PUBACK, PUBREC, PUBREL, PUBCOMP. */
export const answerPacket = (kind: 4 | 5 | 6 | 7, id: number): Buffer =>
  packet((kind << 4) | (kind === 6 ? 2 : 0), short(id));

export const pingPacket = Buffer.of(0xc0, 0);
export const disconnectPacket = Buffer.of(0xe0, 0);
