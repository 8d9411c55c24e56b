import {
  identifyRequest,
  type ModbusRequest,
  readRequest,
  writeManyRequest,
  writeRequest,
} from '#gateway/links/modbus/pdu.ts';
import { damage, type Random } from '#gateway/p1/testing/fuzz-damage.ts';
import { enframe, type Framed, unframe, type Wire } from './modbus-reference.ts';

const someWords = (count: number, random: Random): number[] =>
  Array.from({ length: count }, () => random.below(0x1_0000));

export function someRequest(random: Random): ModbusRequest<unknown> {
  const address = random.below(0xff00);
  const kind = random.below(10);
  if (kind === 0) return identifyRequest(random.below(3));
  if (kind === 1) return writeRequest(address, random.below(0x1_0000));
  if (kind === 2) return writeManyRequest(address, someWords(1 + random.below(20), random));
  return readRequest(kind % 2 ? 'holding' : 'input', address, 1 + random.below(random.below(4) ? 12 : 125));
}

/** The answer of a working device, or its exception. */
function rightAnswer(request: Buffer, random: Random): Buffer {
  const code = request[0]!;
  if (random.below(12) === 0) return Buffer.of(code | 0x80, 1 + random.below(11));
  if (code === 6) return request;
  if (code === 16) return request.subarray(0, 5);
  if (code === 43) {
    const texts = ['Sungrow', 'SH10RT', 'V 1.2 '].slice(0, random.below(4));
    const objects = texts.flatMap((text, id) => [id, text.length, ...Buffer.from(text, 'latin1')]);
    return Buffer.from([43, 14, 1, 0x81, random.below(2) * 0xff, random.below(4), texts.length, ...objects]);
  }
  const count = request.readUInt16BE(3);
  const answer = Buffer.alloc(2 + 2 * count);
  answer.set([code, 2 * count]);
  for (const [index, word] of someWords(count, random).entries()) answer.writeUInt16BE(word, 2 + 2 * index);
  return answer;
}

/** Everything that is received for a request: its answer, other frames, and damage. */
export function someTraffic(wire: Wire, request: Buffer, random: Random): Buffer {
  const asked = unframe(wire, request);
  const right = { ...asked, pdu: rightAnswer(asked.pdu, random) };
  const frames = [right, ...Array.from({ length: random.below(3) }, () => stranger(right, random))]
    .map((framed) => ({ framed, place: random.below(10) }))
    .sort((a, b) => a.place - b.place)
    .map(({ framed }) => enframe(wire, framed));
  const stream = Buffer.concat(random.below(5) === 0 ? [request, ...frames] : frames); // an adapter with local echo
  return random.below(4) ? damage(stream, random) : stream;
}

/** A wrong answer in a correct frame: late, or of another unit. */
function stranger(right: Framed, random: Random): Framed {
  const kind = random.below(4);
  if (kind === 0) return { ...right, transaction: (right.transaction - 1 - random.below(3)) & 0xffff };
  if (kind === 1) return { ...right, unit: random.below(256) };
  if (kind === 2) return { ...right, pdu: Buffer.of(random.below(256), ...right.pdu.subarray(1)) };
  return { ...right, pdu: damage(right.pdu, random).subarray(0, 253) };
}

export function inPieces(stream: Buffer, random: Random): Buffer[] {
  const most = [3, 40, 10_000][random.below(3)]!;
  const pieces: Buffer[] = [];
  for (let at = 0; at < stream.length; at += pieces.at(-1)!.length) {
    pieces.push(stream.subarray(at, at + 1 + random.below(most)));
  }
  return pieces;
}
