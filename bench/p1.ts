import dsmr from 'dsmr-parser';
import { createP1Decoder } from '#gateway/p1/decoder.ts';
import { type P1Keys, p1Formats } from '#gateway/p1/frame.ts';
import { meterKey } from '#gateway/p1/testing/frames.ts';
import { testMeters } from '#gateway/p1/testing/meters.ts';
import { compared, type Finding, measured } from './measure/finding.ts';
import { inTurns } from './measure/rounds.ts';
import { falseStarts, unreadableFrames } from './p1/hostile.ts';

const rounds = 15;
const times = 2000;
const keys: P1Keys = { decryptionKey: meterKey };

/** Measures telegrams against the most used parser, every format, and the worst input. */
export async function p1(): Promise<Finding[]> {
  return [...(await besideDsmrParser()), ...(await everyFormat()), ...worstInput()];
}

/** The versions that both support. */
async function besideDsmrParser(): Promise<Finding[]> {
  const telegrams = testMeters.filter(({ name }) => /DSMR [45]|^BE$|^IE$/.test(name)).map(({ bytes }) => bytes);
  const texts = telegrams.map((bytes) => bytes.toString('latin1'));
  for (const text of texts)
    if (Object.keys(dsmr.parse(text).objects).length === 0) throw new Error('dsmr-parser reads nothing');
  const contenders = {
    ours: async () => microseconds(telegrams.length, decoding(telegrams)),
    theirs: async () => microseconds(texts.length, () => texts.forEach((text) => void dsmr.parse(text))),
  };
  await inTurns(3, contenders);
  const { ours, theirs } = await inTurns(rounds, contenders);
  return [
    compared('ASCII telegram', 'µs', ours, { name: 'dsmr-parser', values: theirs }, { of: 'ratio', atMost: 0.333 }),
  ];
}

async function everyFormat(): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const format of p1Formats) {
    const messages = testMeters
      .filter((meter) => meter.format === format && !meter.isUnchecked)
      .map(({ bytes }) => bytes);
    const contenders = { messages: async () => microseconds(messages.length, decoding(messages)) };
    await inTurns(2, contenders);
    const found = await inTurns(rounds, contenders);
    findings.push(measured(`${format} message`, 'µs', found.messages, { of: 'value', atMost: 1000 }));
  }
  return findings;
}

/** Decodes all of them once; each must be a frame. */
function decoding(messages: readonly Buffer[]): () => void {
  let frames = 0;
  const decoder = createP1Decoder(keys, { onFrame: () => frames++, onFailed: () => {} });
  return () => {
    frames = 0;
    for (const bytes of messages) decoder.push(bytes);
    if (frames !== messages.length) throw new Error(`${frames} frames of ${messages.length} messages`);
  };
}

function microseconds(count: number, work: () => void): number {
  const began = performance.now();
  for (let time = 0; time < times; time++) work();
  return ((performance.now() - began) * 1000) / times / count;
}

/** 8 KB at once; the minimum of several runs, because a pause of the machine is not work of the decoder. */
function worstInput(): Finding[] {
  const limit = { of: 'value', atMost: 1 } as const;
  const [starts, startsMs] = slowest(falseStarts, ({ ms }) => ms);
  const [frame, frameMs] = slowest(unreadableFrames, ({ ms, failed }) => ms / failed);
  return [
    measured(`8 KB of ${starts}`, 'ms', [startsMs], limit),
    measured(`unreadable frame, ${frame}`, 'ms', [frameMs], limit),
  ];
}

type Cost = { ms: number; failed: number };

function slowest(inputs: Record<string, Buffer>, costOf: (cost: Cost) => number): [what: string, ms: number] {
  const costs = Object.entries(inputs).map(([what, bytes]): [string, number] => [what, costOf(leastCost(bytes))]);
  return costs.reduce((worst, one) => (one[1] > worst[1] ? one : worst));
}

function leastCost(bytes: Buffer): Cost {
  let least: Cost = { ms: Number.POSITIVE_INFINITY, failed: 0 };
  for (let time = 0; time < 60; time++) {
    let failed = 0;
    const decoder = createP1Decoder(keys, { onFrame: () => {}, onFailed: () => failed++ });
    const began = performance.now();
    decoder.push(bytes);
    decoder.idle();
    const ms = performance.now() - began;
    if (ms < least.ms) least = { ms, failed };
  }
  return least;
}
