import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { type FileHandle, mkdtempDisposable, open as openFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startGateway } from '#gateway/main.ts';
import { startStreet } from '#sim/street.ts';

export type Cuts = {
  cuts: number;
  /** disks from which the gateway started as another one, without a device or not at all, or that lack samples */
  torn: string[];
  /** samples that were on disk at the end */
  samples: number;
};

const tailMs = 1000; // of samples that a power cut may cost
const lookMs = 100;

/** Whether a disk can be made and mounted here, which takes root. */
export const canMountDisks = (): boolean =>
  process.getuid?.() === 0 && spawnSync('mkfs.ext4', ['-V']).status === 0 && spawnSync('losetup', ['-f']).status === 0;

/** Copies the disk of a busy gateway at random moments, as a power cut would leave it, and starts from each copy. */
export async function cutPower(most: number, isForgetful = false): Promise<Cuts> {
  await using open = new AsyncDisposableStack();
  const { path: folder } = open.use(await mkdtempDisposable(join(tmpdir(), 'ohmstead-power-cut-')));
  const disk = makeDisk(folder);
  if (isForgetful) open.defer(await forgetSyncs());
  const street = await startStreet({ portBase: 0, only: ['sungrow', 'sdm630'] });
  open.defer(() => street.close());
  const liveFolder = mounted(folder, disk, 'live');
  open.defer(() => unmount(folder, 'live'));
  const gateway = await openGateway(liveFolder, '100');
  open.defer(() => gateway.close());
  for (const { connection } of street.players) await ask(gateway.url, '/api/devices', connection);
  const { devices } = await ask(gateway.url, '/api/devices');
  const end = new AbortController();
  const working = Promise.all([work(gateway.url, devices, end.signal), followSamples(gateway.url, end.signal)]);
  open.defer(async () => {
    end.abort();
    await working;
  });

  const found: Cuts = { cuts: 0, torn: [], samples: 0 };
  for (; found.cuts < most; found.cuts++) {
    await sleep(50 + Math.random() * 400);
    const owed = samplesAgo(tailMs);
    const copy = join(folder, 'copy');
    copyFileSync(disk, copy);
    const place = mounted(folder, copy, 'copied');
    try {
      const again = await openGateway(place, '600000');
      const { devices: left } = await ask(again.url, '/api/devices');
      const { uplink } = await ask(again.url, '/api/status');
      await again.close();
      if (again.serial !== gateway.serial) found.torn.push('another key');
      if (left.length !== devices.length) found.torn.push(`${left.length} devices`);
      if (uplink.waiting < owed) found.torn.push(`${uplink.waiting} samples instead of ${owed}`);
    } catch (error) {
      found.torn.push(String(error));
    } finally {
      unmount(folder, 'copied');
    }
  }
  return { ...found, samples: samplesAgo(0) };
}

const looks: { at: number; waiting: number }[] = [];

async function followSamples(url: string, signal: AbortSignal): Promise<void> {
  looks.length = 0;
  while (!signal.aborted) {
    const { uplink } = await ask(url, '/api/status');
    looks.push({ at: performance.now(), waiting: uplink.waiting });
    await sleep(lookMs);
  }
}

/** Nothing is acknowledged, so what waited then waits still. */
function samplesAgo(ms: number): number {
  const then = performance.now() - ms;
  return looks.findLast(({ at }) => at <= then)?.waiting ?? 0;
}

/** Changes what is kept, again and again, while samples are written. */
async function work(url: string, devices: { sn: string; ders: { type: string }[] }[], signal: AbortSignal) {
  for (let round = 0; !signal.aborted; round++) {
    for (const { sn, ders } of devices) {
      const changed = ders.map(({ type }) => ({ type, enabled: true, rated_power: 1000 + (round % 5000) }));
      await ask(url, `/api/devices/${sn}/ders`, { ders: changed });
    }
  }
}

/** The planted bug: nothing is synced any more, until what is returned is called. */
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
