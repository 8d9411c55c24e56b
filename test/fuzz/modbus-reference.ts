// A second implementation of Modbus answers, written from the specification for correctness, not for speed.
// Shares no code with the gateway.

export type Wire = 'tcp' | 'rtu';

/** A request or an answer without its frame. */
export type Framed = { transaction: number; unit: number; pdu: Buffer };

const tcpHeader = 6;

export function unframe(wire: Wire, frame: Buffer): Framed {
  return wire === 'tcp'
    ? { transaction: frame.readUInt16BE(0), unit: frame[tcpHeader]!, pdu: frame.subarray(tcpHeader + 1) }
    : { transaction: 0, unit: frame[0]!, pdu: frame.subarray(1, -2) };
}

export function enframe(wire: Wire, { transaction, unit, pdu }: Framed): Buffer {
  const body = Buffer.concat([Buffer.of(unit), pdu]);
  const ends = Buffer.alloc(wire === 'tcp' ? tcpHeader : 2);
  if (wire === 'rtu') {
    ends.writeUInt16LE(checkOf(body));
    return Buffer.concat([body, ends]);
  }
  ends.writeUInt16BE(transaction, 0);
  ends.writeUInt16BE(body.length, 4);
  return Buffer.concat([ends, body]);
}

function checkOf(bytes: Buffer): number {
  let check = 0xffff;
  for (const byte of bytes) {
    check ^= byte;
    for (let bit = 0; bit < 8; bit++) check = check % 2 ? (check >> 1) ^ 0xa001 : check >> 1;
  }
  return check;
}

/** Describes the answer that a PDU contains for a request; undefined when it is not an answer to it. */
export function answerTo(request: Buffer, pdu: Buffer): string | undefined {
  const asked = request[0]!;
  if (pdu.length === 2 && pdu[0] === asked + 0x80) return `exception ${pdu[1]}`;
  if (pdu[0] !== asked) return undefined;
  if (asked === 43) return textsIn(pdu);
  if (asked === 6) return pdu.equals(request) ? 'written' : undefined;
  if (asked === 16) return pdu.equals(request.subarray(0, 5)) ? 'written' : undefined;
  const count = request.readUInt16BE(3);
  if (pdu.length !== 2 + 2 * count || pdu[1] !== 2 * count) return undefined;
  return Array.from({ length: count }, (_, index) => pdu.readUInt16BE(2 + 2 * index)).join(' ');
}

function textsIn(pdu: Buffer): string | undefined {
  if (pdu.length < 7 || pdu[1] !== 14 || pdu[2] !== 1) return undefined;
  const texts = new Map<number, string>();
  let rest = pdu.subarray(7);
  for (let left = pdu[6]!; left > 0; left--) {
    if (rest.length < 2 || rest.length < 2 + rest[1]!) return undefined;
    const printable = [...rest.subarray(2, 2 + rest[1]!)].filter((byte) => byte >= 0x20 && byte < 0x7f);
    texts.set(rest[0]!, String.fromCharCode(...printable).trim());
    rest = rest.subarray(2 + rest[1]!);
  }
  if (rest.length > 0) return undefined;
  return textsInWords(texts);
}

export const textsInWords = (texts: ReadonlyMap<number, string>): string => JSON.stringify([...texts]);

export type Expected = { answers: string[]; isBroken: boolean; strays: number; rest: Buffer };

/** Reads a TCP stream for a request: the answer, whether the stream can be followed to its end, and the rest. */
export function expectedOnTcp(asked: Framed, stream: Buffer): Expected {
  const expected: Expected = { answers: [], isBroken: false, strays: 0, rest: stream };
  while (expected.rest.length >= tcpHeader) {
    const { rest } = expected;
    const length = rest.readUInt16BE(4);
    if (rest.readUInt16BE(2) !== 0 || length < 2 || length > 254) return { ...expected, isBroken: true };
    if (rest.length < tcpHeader + length) return expected;
    expected.rest = rest.subarray(tcpHeader + length);
    const { transaction, unit, pdu } = unframe('tcp', rest.subarray(0, tcpHeader + length));
    if (expected.answers.length > 0 || transaction !== asked.transaction) {
      expected.strays++;
      continue;
    }
    const answer = unit === asked.unit ? answerTo(asked.pdu, pdu) : undefined;
    if (answer === undefined) return { ...expected, isBroken: true };
    expected.answers.push(answer);
  }
  return expected;
}

/** Everything on a serial line that is a complete, undamaged answer to the request. */
export function possibleOnRtu(asked: Framed, stream: Buffer): Set<string> {
  const possible = new Set<string>();
  for (let at = 0; at + 5 <= stream.length; at++) {
    if (stream[at] !== asked.unit || (stream[at + 1]! & 0x7f) !== asked.pdu[0]) continue;
    for (const length of lengthsOf(asked.pdu, stream.subarray(at + 1))) {
      const end = at + 1 + length + 2;
      if (end > stream.length || checkOf(stream.subarray(at, end - 2)) !== stream.readUInt16LE(end - 2)) continue;
      const answer = answerTo(asked.pdu, stream.subarray(at + 1, end - 2));
      if (answer !== undefined) possible.add(answer);
    }
  }
  return possible;
}

/** Length limits of an answer; only its texts vary in length. */
function lengthsOf(request: Buffer, from: Buffer): number[] {
  if (from[0]! & 0x80) return [2];
  if (request[0] === 6 || request[0] === 16) return [5];
  if (request[0] === 43) return Array.from({ length: Math.min(253, from.length) - 6 }, (_, index) => 7 + index);
  return [2 + 2 * request.readUInt16BE(3)];
}
