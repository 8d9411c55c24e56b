import { mkdir, mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { keyFile, openKey } from '#gateway/identity/key-file.ts';
import type { Sample } from '#gateway/uplink/outbox/segment.ts';
import { openTrial, readingsFrom } from '#gateway/uplink/outbox/testing/trial.ts';
import { readJson, writeJson } from '#lib/atomic-file.ts';

/** The result of damage: the data is complete, or its reader noticed; anything else is wrong. */
export type Fate = 'right' | 'noticed' | 'wrong';

export type Subject = { name: string; bytes: Buffer; read(damaged: Buffer): Promise<Fate> };

export type Corruption = { subject: string; at: number; bit: number | 'cut' };

async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'ohmstead-corruption-'));
  return await work(folder.path);
}

/** A settings file, as devices and states are stored. */
async function settings(isTrusting: boolean): Promise<Subject> {
  const data = { sn: 'SIM-1', profile: 'sungrow', host: '192.168.1.20', port: 502, ders: [{ type: 'pv', W: 5000 }] };
  const bytes = await inFolder(async (folder) => {
    await writeJson(join(folder, 'device.json'), data);
    return readFile(join(folder, 'device.json'));
  });
  const same = (found: unknown): Fate => (JSON.stringify(found) === JSON.stringify(data) ? 'right' : 'wrong');
  return {
    name: 'settings',
    bytes,
    read: (damaged) =>
      inFolder(async (folder) => {
        if (isTrusting) return same((JSON.parse(damaged.toString()) as { data: unknown }).data);
        await writeFile(join(folder, 'device.json'), damaged);
        const found = await readJson(join(folder, 'device.json'));
        return found?.damaged ? 'noticed' : same(found?.data);
      }).catch((error: unknown) => {
        if (error instanceof SyntaxError) return 'noticed';
        throw error;
      }),
  };
}

async function key(): Promise<Subject> {
  const { bytes, right } = await inFolder(async (folder) => ({
    right: await openKey(folder),
    bytes: await readFile(keyFile(folder)),
  }));
  return {
    name: 'key',
    bytes,
    read: (damaged) =>
      inFolder(async (folder) => {
        await mkdir(dirname(keyFile(folder)), { recursive: true, mode: 0o700 });
        await writeFile(keyFile(folder), damaged, { mode: 0o600 });
        return openKey(folder).then(
          (found): Fate => (found.equals(right) ? 'right' : 'wrong'),
          (): Fate => 'noticed',
        );
      }),
  };
}

const newline = Buffer.from('\n');

/** Truncations of files that have an end mark. */
function linesIn(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let from = 0, end = bytes.indexOf(newline); end >= 0; from = end + 1, end = bytes.indexOf(newline, from)) {
    lines.push(bytes.subarray(from, end));
  }
  return lines;
}

const spelled = ({ seq, source, json }: Sample): string => JSON.stringify([seq, source, json]);

/** The result of a reader that ignores the checksums of lines. */
const withNewChecksums = (bytes: Buffer): Buffer =>
  Buffer.concat(
    linesIn(bytes).map((line) => {
      const body = line.subarray(9);
      return Buffer.concat([Buffer.from(`${crc32(body).toString(16).padStart(8, '0')} `), body, newline]);
    }),
  );

/**
 * A file of waiting samples: no sample may become another one. Damage costs its line and at most the next, and is reported;
 * data after the last complete line is an unfinished line, and costs no other.
 */
async function outbox(isTrusting: boolean): Promise<Subject> {
  const { kept, name, bytes } = await inFolder(async (folder) => {
    const trial = await openTrial(folder);
    const samples = await trial.keep(readingsFrom(trial.clocks.clock.now(), 4));
    const [file] = await trial.files();
    const written = await readFile(join(folder, file!));
    await trial.close();
    return { kept: samples.map(spelled), name: file!, bytes: written };
  });
  return {
    name: 'outbox',
    bytes,
    read: (damaged) =>
      inFolder(async (folder) => {
        await writeFile(join(folder, name), isTrusting ? withNewChecksums(damaged) : damaged);
        const again = await openTrial(folder);
        const found = (await again.rest()).map(spelled);
        const { dropped } = again.outbox.counts();
        await again.close();
        if (found.some((sample) => !kept.includes(sample))) return 'wrong';
        if (found.length === kept.length) return 'right';
        if (found.length === linesIn(damaged).length) return 'noticed';
        return dropped.damaged && found.length >= kept.length - 2 ? 'noticed' : 'wrong';
      }),
  };
}

const subjects = (isTrusting: boolean): Promise<Subject[]> =>
  Promise.all([settings(isTrusting), key(), outbox(isTrusting)]);

/** Every bit that can be flipped and every place where a file can end, in turn. */
function* corruptionsOf({ name, bytes }: Subject): Generator<Corruption> {
  for (let at = 0; at < bytes.length; at++) {
    for (let bit = 0; bit < 8; bit++) yield { subject: name, at, bit };
    yield { subject: name, at, bit: 'cut' };
  }
}

function applied(bytes: Buffer, { at, bit }: Corruption): Buffer {
  if (bit === 'cut') return bytes.subarray(0, at);
  const turned = Buffer.from(bytes);
  turned[at]! ^= 1 << bit;
  return turned;
}

/** Subjects whose reader ignores checksums when that bug is planted. */
export const trusting = ['settings', 'outbox'] as const;

/** Damages that many places in the files of a gateway, evenly spread, one at a time; returns those with a wrong result. */
export async function corrupt(most: number, isTrusting = false): Promise<{ tried: number; wrong: Corruption[] }> {
  const all = (await subjects(isTrusting)).flatMap((subject) =>
    [...corruptionsOf(subject)].map((corruption) => ({ subject, corruption })),
  );
  const step = Math.max(1, all.length / most);
  const wrong: Corruption[] = [];
  let tried = 0;
  for (let next = 0; next < all.length; next += step, tried++) {
    const { subject, corruption } = all[Math.floor(next)]!;
    const fate = await subject.read(applied(subject.bytes, corruption));
    if (fate === 'wrong') wrong.push(corruption);
  }
  return { tried, wrong };
}
