import { setTimeout as sleep } from 'node:timers/promises';
import { answerRightly, type Behaviour, type Exchange, frame, registerAt, writeInPieces } from './hostile-server.ts';

/** The expected result of a request to this server: the true value, an exception of the device, or a LinkError. */
type Outcome = 'value' | 'link error' | { exception: number };

export type HostileBehaviour = { says: string; outcome: Outcome; behave: Behaviour; times?: number };

const link = 'link error';
const sends =
  (bytes: (exchange: Exchange) => Uint8Array): Behaviour =>
  (exchange) =>
    void exchange.socket.write(bytes(exchange));
const answers = (pdu: (exchange: Exchange) => Uint8Array): Behaviour =>
  sends((exchange) => frame(exchange.transaction, exchange.unit, pdu(exchange)));

/** A well-formed answer of the right shape that belongs to something else. */
const wrongValues = ({ rightPdu }: Exchange): Buffer => {
  const pdu = Buffer.from(rightPdu);
  for (let at = 2; at < pdu.length; at += 2) pdu.writeUInt16BE(registerAt(9000 + at), at);
  return pdu;
};

/** Returns the right number of registers, `more` or fewer; the byte count may differ. */
const registers = ({ rightPdu }: Exchange, more: number, byteCount = rightPdu[1]! + 2 * more): Buffer => {
  const data = Buffer.concat([rightPdu.subarray(2), Buffer.alloc(64)]).subarray(0, rightPdu[1]! + 2 * more);
  return Buffer.concat([Buffer.of(rightPdu[0]!, byteCount), data]);
};

const exception = (code: number): Behaviour => answers(({ pdu }) => Buffer.of(pdu[0]! | 0x80, code));
const twice = (first: Uint8Array, second: Uint8Array): Buffer => Buffer.concat([first, second]);
const flood = (piece: (exchange: Exchange) => Uint8Array): Behaviour =>
  sends((exchange) => repeated(piece(exchange), 40_000));

// Sent in pieces, it takes longer than the timeout.
const repeated = (piece: Uint8Array, times: number): Buffer => Buffer.alloc(piece.length * times, piece);

export const hostileBehaviours: HostileBehaviour[] = [
  { says: 'answers rightly', outcome: 'value', behave: answerRightly },
  { says: 'says nothing', outcome: link, behave: () => undefined },
  {
    says: 'answers after the timeout',
    outcome: link,
    behave: async (exchange) => {
      await sleep(1150);
      await answers(wrongValues)(exchange);
    },
  },
  {
    says: 'answers the previous transaction, then this one',
    outcome: 'value',
    behave: sends((e) => twice(frame(e.transaction - 1, e.unit, wrongValues(e)), e.rightFrame)),
  },
  {
    says: 'answers the previous transaction in its own segment, then this one',
    outcome: 'value',
    behave: async (e) => {
      e.socket.write(frame(e.transaction - 1, e.unit, wrongValues(e)));
      await sleep(30);
      e.socket.write(e.rightFrame);
    },
  },
  {
    says: 'answers only the previous transaction',
    outcome: link,
    behave: sends((e) => frame(e.transaction - 1, e.unit, wrongValues(e))),
  },
  {
    says: 'answers the next transaction',
    outcome: link,
    behave: sends((e) => frame(e.transaction + 1, e.unit, wrongValues(e))),
  },
  {
    says: 'answers this transaction and the next',
    outcome: 'value',
    behave: sends((e) => twice(e.rightFrame, frame(e.transaction + 1, e.unit, wrongValues(e)))),
  },
  { says: 'always answers transaction 0', outcome: link, behave: sends((e) => frame(0, e.unit, wrongValues(e))) },
  {
    says: 'answers as another unit',
    outcome: link,
    behave: sends((e) => frame(e.transaction, e.unit + 1, wrongValues(e))),
  },
  { says: 'answers as unit 0', outcome: link, behave: sends((e) => frame(e.transaction, 0, wrongValues(e))) },
  {
    says: 'answers another function',
    outcome: link,
    behave: answers((e) => Buffer.concat([Buffer.of(4), wrongValues(e).subarray(1)])),
  },
  {
    says: 'confirms a write that was not requested',
    outcome: link,
    behave: answers(() => Buffer.of(6, 0, 100, 0, 10)),
  },
  ...[1, 2, 3, 4, 7, 8, 9, 10, 11, 255].map((code) => ({
    says: `answers with exception ${code}`,
    outcome: { exception: code },
    behave: exception(code),
  })),
  { says: 'is still working once', outcome: 'value', behave: exception(5) },
  { says: 'is busy three times', outcome: 'value', behave: exception(6), times: 3 },
  { says: 'is always busy', outcome: { exception: 6 }, behave: exception(6), times: 4 },
  {
    says: 'is busy, then does not answer',
    outcome: link,
    behave: (e) => (e.transaction % 2 === 0 ? exception(6)(e) : undefined),
    times: 2,
  },
  { says: 'answers with an exception of another function', outcome: link, behave: answers(() => Buffer.of(0x84, 2)) },
  { says: 'answers with an exception that is too long', outcome: link, behave: answers(() => Buffer.of(0x83, 2, 0)) },
  { says: 'answers with an exception without a code', outcome: link, behave: answers(() => Buffer.of(0x83)) },
  { says: 'answers with the function alone', outcome: link, behave: answers(() => Buffer.of(3)) },
  { says: 'has a byte count that is too small', outcome: link, behave: answers((e) => registers(e, 0, 18)) },
  { says: 'has a byte count that is too large', outcome: link, behave: answers((e) => registers(e, 0, 22)) },
  { says: 'has a byte count of 0', outcome: link, behave: answers((e) => registers(e, 0, 0)) },
  { says: 'sends a register less', outcome: link, behave: answers((e) => registers(e, -1)) },
  { says: 'sends a register more', outcome: link, behave: answers((e) => registers(e, 1)) },
  { says: 'sends half a register less', outcome: link, behave: answers((e) => registers(e, 0, 19).subarray(0, 21)) },
  {
    says: 'sends a frame of length 0',
    outcome: link,
    behave: sends((e) => frame(e.transaction, e.unit, e.rightPdu, { length: 0 })),
  },
  {
    says: 'sends a frame of length 1',
    outcome: link,
    behave: sends((e) => frame(e.transaction, e.unit, e.rightPdu, { length: 1 })),
  },
  {
    says: 'sends a frame of length 255',
    outcome: link,
    behave: sends((e) => frame(e.transaction, e.unit, e.rightPdu, { length: 255 })),
  },
  {
    says: 'sends a frame of length 65535',
    outcome: link,
    behave: sends((e) => frame(e.transaction, e.unit, e.rightPdu, { length: 0xffff })),
  },
  {
    says: 'announces a frame that is one byte too short',
    outcome: link,
    behave: sends((e) => frame(e.transaction, e.unit, e.rightPdu, { length: e.rightPdu.length })),
  },
  {
    says: 'announces a frame that is one byte too long',
    outcome: link,
    behave: sends((e) => frame(e.transaction, e.unit, e.rightPdu, { length: e.rightPdu.length + 2 })),
  },
  {
    says: 'speaks another protocol',
    outcome: link,
    behave: sends((e) => frame(e.transaction, e.unit, e.rightPdu, { protocol: 1 })),
  },
  { says: 'speaks HTTP', outcome: link, behave: sends(() => Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')) },
  {
    says: 'speaks RTU',
    outcome: link,
    behave: sends((e) => Buffer.concat([Buffer.of(e.unit), e.rightPdu, Buffer.of(0x12, 0x34)])),
  },
  { says: 'sends the same answer twice', outcome: 'value', behave: sends((e) => twice(e.rightFrame, e.rightFrame)) },
  {
    says: 'sends garbage behind the answer',
    outcome: 'value',
    behave: sends((e) => twice(e.rightFrame, Buffer.alloc(50, 0xee))),
  },
  {
    says: 'sends garbage ahead of the answer',
    outcome: link,
    behave: sends((e) => twice(Buffer.alloc(50, 0xee), e.rightFrame)),
  },
  { says: 'sends one byte in a segment', outcome: 'value', behave: (e) => writeInPieces(e.socket, e.rightFrame, 1, 1) },
  { says: 'cuts the header', outcome: 'value', behave: (e) => writeInPieces(e.socket, e.rightFrame, 5, 5) },
  {
    says: 'needs longer than a second for the bytes of an answer',
    outcome: link,
    behave: (e) => writeInPieces(e.socket, e.rightFrame, 1, 45),
  },
  {
    says: 'dies in the middle of the answer',
    outcome: link,
    behave: (e) => void e.socket.end(e.rightFrame.subarray(0, 15)),
  },
  { says: 'ends the connection instead of answering', outcome: 'value', behave: (e) => void e.socket.end() },
  { says: 'resets the connection', outcome: 'value', behave: (e) => void e.socket.resetAndDestroy() },
  {
    says: 'always ends the connection instead of answering',
    outcome: link,
    behave: (e) => void e.socket.end(),
    times: 2,
  },
  { says: 'answers and ends the connection', outcome: 'value', behave: (e) => void e.socket.end(e.rightFrame) },
  { says: 'floods with garbage', outcome: link, behave: flood(() => Buffer.alloc(40, 0xaa)) },
  { says: 'floods with zeros', outcome: link, behave: flood(() => Buffer.alloc(40)) },
  {
    says: 'floods with unrequested frames',
    outcome: link,
    behave: flood((e) => frame(e.transaction - 1, e.unit, wrongValues(e))),
  },
];
