import { LinkError } from '#gateway/links/link-error.ts';
import { type Framing, type ModbusRequest, readAnswer } from '#gateway/links/modbus/pdu.ts';
import { RtuFraming } from '#gateway/links/modbus/rtu-framing.ts';
import { TcpFraming } from '#gateway/links/modbus/tcp-framing.ts';
import { ModbusException } from '#gateway/links/modbus/unit.ts';
import { createRandom, type Random } from '#gateway/p1/testing/fuzz-damage.ts';
import type { FuzzReport } from './fuzz-report.ts';
import { expectedOnTcp, possibleOnRtu, textsInWords, unframe, type Wire } from './modbus-reference.ts';
import { inPieces, someRequest, someTraffic } from './modbus-traffic.ts';

type Framings = Record<Wire, () => Framing>;

const usual: Framings = {
  tcp: () => new TcpFraming(),
  rtu: () => new RtuFraming({ baudRate: 9600, dataBits: 8, parity: 'none', stopBits: 1 }),
};
const lifeOfConnection = 50; // requests
const longestHeld = 4096; // bytes of noise after which a serial line is abandoned
const suspiciousMs = 1;

type Played = { answers: string[]; isBroken: boolean; strays: number; slowestMs: number; crash?: string };

/** Damaged answers on both transports; an accepted answer must also be one for the reference. */
export function fuzzModbus(seed: number, cases: number, framings: Framings = usual): FuzzReport {
  const random = createRandom(seed);
  const report: FuzzReport = { cases: 0, frames: 0, wrong: [], slowestMs: 0 };
  while (report.cases < cases) {
    const wire = random.below(2) ? 'tcp' : 'rtu';
    const requests = Math.min(lifeOfConnection, cases - report.cases);
    talk(wire, requests, framings[wire], random, report);
  }
  return report;
}

function talk(wire: Wire, requests: number, open: () => Framing, random: Random, report: FuzzReport): void {
  const framing = open();
  const unit = 1 + random.below(247);
  let rest: Buffer = Buffer.alloc(0); // of a frame that arrived with the previous answer
  for (let turn = 0; turn < requests; turn++, report.cases++) {
    const request = someRequest(random);
    const frame = Buffer.from(framing.ask(unit, request));
    const stream = someTraffic(wire, frame, random);
    const pieces = inPieces(stream, random);
    const played = play(framing, request, pieces);
    const isLost = played.isBroken || (played.answers.length === 0 && framing.isCut);
    if (played.answers.length === 0) framing.settle('unanswered');

    const asked = unframe(wire, frame);
    const seen = Buffer.concat([rest, stream]);
    const fault = wire === 'tcp' ? faultOnTcp(played, expectedOnTcp(asked, seen)) : faultOnRtu(played, asked, stream);
    if (fault) report.wrong.push(`${wire}: ${fault}; asked ${frame.toString('hex')}, got ${seen.toString('hex')}`);

    report.frames += played.answers.length;
    report.slowestMs = Math.max(report.slowestMs, slowestOf(played.slowestMs, { open, unit, request, pieces }));
    rest = wire === 'tcp' && !isLost ? expectedOnTcp(asked, seen).rest : Buffer.alloc(0);
    if (isLost) framing.restart();
  }
}

/** Like a bus: the answer resolves the request, and non-Modbus data ends the connection. */
function play(framing: Framing, request: ModbusRequest<unknown>, pieces: readonly Buffer[]): Played {
  const played: Played = { answers: [], isBroken: false, strays: 0, slowestMs: 0 };
  const findings = {
    onAnswer(bytes: Uint8Array, at: number, end: number): void {
      const answer = readAnswer(request, bytes, at, end);
      framing.settle('answered');
      played.answers.push(inWords(answer));
    },
    onStray: (): void => void played.strays++,
  };
  for (const piece of pieces) {
    const began = performance.now();
    try {
      framing.take(piece, findings);
    } catch (error) {
      if (!(error instanceof LinkError)) return { ...played, isBroken: true, crash: `threw ${String(error)}` };
      return { ...played, isBroken: true };
    } finally {
      played.slowestMs = Math.max(played.slowestMs, performance.now() - began);
    }
  }
  return played;
}

function inWords(answer: unknown): string {
  if (answer instanceof ModbusException) return `exception ${answer.code}`;
  if (Array.isArray(answer)) return answer.join(' ');
  if (answer === true) return 'written';
  return textsInWords(answer as Map<number, string>);
}

function faultOnTcp(played: Played, expected: ReturnType<typeof expectedOnTcp>): string | undefined {
  if (played.crash) return played.crash;
  for (const what of ['answers', 'isBroken', 'strays'] as const) {
    const [found, wanted] = [String(played[what]), String(expected[what])];
    if (found !== wanted) return `${what} ${found}, expected ${wanted}`;
  }
  return undefined;
}

function faultOnRtu({ answers, isBroken, crash }: Played, asked: ReturnType<typeof unframe>, stream: Buffer) {
  if (crash) return crash;
  const possible = possibleOnRtu(asked, stream);
  if (answers.length > 1) return `${answers.length} answers`;
  if (answers[0] !== undefined && !possible.has(answers[0])) return `accepted ${answers[0]} as an answer`;
  if (answers.length > 0 || isBroken || stream.length > longestHeld) return undefined;
  const mayBeEcho = asked.pdu[0] === 6; // which is the same as its answer
  return possible.size > 0 && !mayBeEcho ? `missed ${[...possible].join(', ')}` : undefined;
}

type Again = { open(): Framing; unit: number; request: ModbusRequest<unknown>; pieces: readonly Buffer[] };

/** A slow case is repeated: a pause of the machine does not repeat, a slow path does. */
function slowestOf(firstMs: number, { open, unit, request, pieces }: Again): number {
  let slowestMs = firstMs;
  for (let again = 0; again < 5 && slowestMs > suspiciousMs; again++) {
    const framing = open();
    framing.ask(unit, request);
    slowestMs = Math.min(slowestMs, play(framing, request, pieces).slowestMs);
  }
  return slowestMs;
}
