import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { type FileHandle, mkdtempDisposable, open as openFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startGateway } from '#gateway/main.ts';
import { linesOf } from '#gateway/uplink/outbox/segment.ts';
import { openSequence } from '#gateway/uplink/outbox/sequence.ts';
import { createLog } from '#lib/log.ts';
import { startStreet } from '#sim/street.ts';

export type Cuts = {
  cuts: number;
  /**
   * disks from which the gateway started with another identity, without a device, with other settings or not at all, that lack samples,
   * or from which a sequence number is reused
   */
  torn: string[];
  /** samples that were on disk at the end */
  samples: number;
};

const lookMs = 100;
const tailLooks = 10; // samples that a power cut may cost; counted in looks, because copying a disk stops this process

/** Whether a disk can be created and mounted here, which needs root. */
export const canMountDisks = (): boolean =>
  process.getuid?.() === 0 && spawnSync('mkfs.ext4', ['-V']).status === 0 && spawnSync('losetup', ['-f']).status === 0;

/** Copies the disk of a busy gateway at random moments, as a power cut would leave it, and starts from each copy. */
export async function cutPower(most: number, isForgetful = false): Promise<Cuts> {
  await using open = new AsyncDisposableStack();
  const { path: folder } = open.use(await mkdtempDisposable(join(tmpdir(), 'ohmstead-power-cut-')));
  const disk = makeDisk(folder);
  const street = await startStreet({ portBase: 0, only: ['sungrow', 'sdm630'] });
  open.defer(() => street.close());
  const liveFolder = mounted(folder, disk, 'live');
  open.defer(() => unmount(folder, 'live'));
  const gateway = await openGateway(liveFolder, '100');
  open.defer(() => gateway.close());
  for (const { connection } of street.players) await ask(gateway.url, '/api/devices', connection);
  const { devices } = await ask(gateway.url, '/api/devices');
  if (isForgetful) open.defer(await forgetSyncs());
  const end = new AbortController();
  const settings = new Settings(devices);
  const working = Promise.all([work(gateway.url, settings, end.signal), followSamples(gateway.url, end.signal)]);
  open.defer(async () => {
    end.abort();
    await working;
  });

  const found: Cuts = { cuts: 0, torn: [], samples: 0 };
  for (; found.cuts < most; found.cuts++) {
    await sleep(50 + Math.random() * 400);
    const owed = waitingBefore(tailLooks);
    const given = lastNumber(join(liveFolder, 'outbox'));
    const mayBe = settings.mayBe();
    const copy = join(folder, 'copy');
    copyFileSync(disk, copy);
    const place = mounted(folder, copy, 'copied');
    try {
      const next = await nextNumber(join(place, 'outbox'));
      const again = await openGateway(place, '600000');
      const { devices: left } = await ask(again.url, '/api/devices');
      const { uplink } = await ask(again.url, '/api/status');
      await again.close();
      if (again.serial !== gateway.serial) found.torn.push('another key');
      if (left.length !== devices.length) found.torn.push(`${left.length} devices`);
      for (const { sn, ders } of left as Listed[]) {
        const power = ratedPowerOf(ders);
        const allowed = mayBe.get(sn) ?? [];
        if (!allowed.includes(power)) found.torn.push(`${sn} with ${power} instead of ${allowed.join(' or ')}`);
      }
      if (next <= given) found.torn.push(`number ${next} after ${given}`);
      if (uplink.waiting < owed) found.torn.push(`${uplink.waiting} samples instead of ${owed}`);
    } catch (error) {
      found.torn.push(String(error));
    } finally {
      unmount(folder, 'copied');
    }
  }
  return { ...found, samples: waitingBefore(0) };
}

/** the number of samples that waited, at each look */
const looks: number[] = [];

async function followSamples(url: string, signal: AbortSignal): Promise<void> {
  looks.length = 0;
  while (!signal.aborted) {
    const { uplink } = await ask(url, '/api/status');
    looks.push(uplink.waiting);
    await sleep(lookMs);
  }
}

/** Nothing is acknowledged, so every waiting sample still waits. */
const waitingBefore = (count: number): number => looks.at(-1 - count) ?? 0;

/** The last number that was written, synced or not. A file is named after its first number. */
function lastNumber(outbox: string): number {
  const files = readdirSync(outbox).filter((name) => /^\d/.test(name));
  const last = files.sort().at(-1);
  if (last === undefined) return 0;
  const seqs = [...linesOf(readFileSync(join(outbox, last)))].flatMap(({ sample }) => sample?.seq ?? []);
  return Math.max(Number.parseInt(last, 10), ...seqs);
}

/** Like a gateway that lost its samples and its clock: the reserved numbers on disk are all it has. */
async function nextNumber(outbox: string): Promise<number> {
  const sequence = await openSequence(join(outbox, 'seq.json'), 1, createLog({ level: 'silent', name: 'test' }));
  return sequence.take()!;
}

type Listed = { sn: string; ders: { type: string; rated_power?: number }[] };

const ratedPowerOf = (ders: Listed['ders']): string => ders.map(({ rated_power }) => rated_power ?? 'none').join(' ');

/** The last setting, and the one being written. */
class Settings {
  readonly devices: readonly Listed[];
  private readonly answered = new Map<string, string>();
  private readonly underWay = new Map<string, string>();

  constructor(devices: readonly Listed[]) {
    this.devices = devices;
    for (const { sn, ders } of devices) this.answered.set(sn, ratedPowerOf(ders));
  }

  async set(sn: string, ders: Listed['ders'], ask: () => Promise<unknown>): Promise<void> {
    this.underWay.set(sn, ratedPowerOf(ders));
    await ask();
    this.answered.set(sn, ratedPowerOf(ders));
  }

  mayBe(): Map<string, string[]> {
    return new Map([...this.answered].map(([sn, power]) => [sn, [power, this.underWay.get(sn) ?? power]]));
  }
}

/** Changes settings repeatedly while samples are written. */
async function work(url: string, settings: Settings, signal: AbortSignal) {
  for (let round = 0; !signal.aborted; round++) {
    for (const { sn, ders } of settings.devices) {
      const changed = ders.map(({ type }) => ({
        type,
        enabled: true,
        ...(isRated(type) && { rated_power: 1000 + (round % 5000) }),
      }));
      await settings.set(sn, changed, () => ask(url, `/api/devices/${sn}/ders`, { ders: changed }));
    }
  }
}

const isRated = (type: string): boolean => type === 'pv' || type === 'battery';

/** The planted bug: nothing is synced until the returned function is called. */
async function forgetSyncs(): Promise<() => void> {
  const probe = await openFile(tmpdir(), 'r');
  const methods = Object.getPrototypeOf(probe) as FileHandle;
  await probe.close();
  const { sync, datasync } = methods;
  Object.assign(methods, { sync: async () => {}, datasync: async () => {} });
  return () => void Object.assign(methods, { sync, datasync });
}

function makeDisk(folder: string): string {
  const disk = join(folder, 'disk');
  execFileSync('truncate', ['-s', '64M', disk]);
  execFileSync('mkfs.ext4', ['-q', disk]);
  return disk;
}

function mounted(folder: string, disk: string, name: string): string {
  const place = join(folder, name);
  mkdirSync(place, { recursive: true });
  execFileSync('mount', ['-o', 'loop', disk, place]);
  return join(place, 'gateway');
}

const unmount = (folder: string, name: string): void => void execFileSync('umount', [join(folder, name)]);

const openGateway = (dataDir: string, harvestMs: string) =>
  startGateway(
    {
      GATEWAY_DATA_DIR: dataDir,
      GATEWAY_PORT: '0',
      GATEWAY_HOST: '127.0.0.1',
      MDNS: 'off',
      HARVEST_MS: harvestMs,
      UPLINK_URL: 'mqtt://127.0.0.1:9',
    },
    { version: 'test', logTo: { write: () => {} } },
  );

// biome-ignore lint/suspicious/noExplicitAny: looks into answers freely
async function ask(url: string, path: string, body?: object): Promise<any> {
  const answer = await fetch(url + path, {
    ...(body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path} is answered with ${answer.status}.`);
  return answer.json();
}
