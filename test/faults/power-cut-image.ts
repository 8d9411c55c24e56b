// node test/faults/power-cut-image.ts 50     as root: copies the disk of a running gateway at random moments, and starts from each copy
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startGateway } from '#gateway/main.ts';
import { startStreet } from '#sim/street.ts';

const cuts = Number(process.argv[2] ?? 20);
const folder = mkdtempSync(join(tmpdir(), 'ohmstead-power-cut-'));
const image = join(folder, 'disk');
const mounted = (file: string, name: string): string => {
  const place = join(folder, name);
  mkdirSync(place, { recursive: true });
  execFileSync('mount', ['-o', 'loop', file, place]);
  return join(place, 'gateway');
};
const unmount = (name: string): void => void execFileSync('umount', [join(folder, name)]);

type Lines = string[];

function open(dataDir: string, lines: Lines) {
  const env = {
    GATEWAY_DATA_DIR: dataDir,
    GATEWAY_PORT: '0',
    GATEWAY_HOST: '127.0.0.1',
    MDNS: 'off',
    HARVEST_MS: '100',
    UPLINK_URL: 'mqtt://127.0.0.1:9',
  };
  return startGateway(env, { version: 'test', logTo: { write: (line) => void lines.push(line) } });
}

// biome-ignore lint/suspicious/noExplicitAny: looks into answers freely
async function ask(url: string, path: string, body?: object): Promise<any> {
  const answer = await fetch(url + path, {
    ...(body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path} is answered with ${answer.status}.`);
  return answer.json();
}

execFileSync('truncate', ['-s', '64M', image]);
execFileSync('mkfs.ext4', ['-q', image]);
const street = await startStreet({ portBase: 0, only: ['sungrow', 'sdm630'] });
const gateway = await open(mounted(image, 'live'), []);
for (const { connection } of street.players) await ask(gateway.url, '/api/devices', connection);
const { devices } = await ask(gateway.url, '/api/devices');
const found = { cuts: 0, otherKey: 0, lostDevices: 0, damaged: 0, notStarted: 0 };
const end = new AbortController();

/** Changes what is kept, again and again, while samples are written. */
async function work(): Promise<void> {
  for (let round = 0; !end.signal.aborted; round++) {
    for (const { sn, ders } of devices) {
      const changed = ders.map(({ type }: { type: string }) => ({ type, enabled: true, rated_power: 1000 + round }));
      await ask(gateway.url, `/api/devices/${sn}/ders`, { ders: changed });
    }
  }
}
const working = work();

for (; found.cuts < cuts; found.cuts++) {
  await sleep(50 + Math.random() * 400);
  const copy = join(folder, 'copy');
  copyFileSync(image, copy);
  const lines: Lines = [];
  try {
    const again = await open(mounted(copy, 'copied'), lines);
    if (again.serial !== gateway.serial) found.otherKey++;
    const { devices: left } = await ask(again.url, '/api/devices');
    if (left.length !== devices.length) found.lostDevices++;
    await again.close();
  } catch (error) {
    console.error(error);
    found.notStarted++;
  }
  if (lines.some((line) => line.includes('damaged'))) found.damaged++;
  unmount('copied');
}
end.abort();
await working;
const { uplink } = await ask(gateway.url, '/api/status');
await gateway.close();
await street.close();
unmount('live');
rmSync(folder, { recursive: true });
console.log(`${uplink.waiting} samples were on disk at the end`, found);
process.exitCode = found.otherKey + found.lostDevices + found.notStarted === 0 ? 0 : 1;
