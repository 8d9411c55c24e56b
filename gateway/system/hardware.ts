import { readdir, readFile, statfs } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import type { System } from '#contract/gateway/system.ts';

// cpu-thermal on a Raspberry Pi, x86_pkg_temp on a PC, soc-thermal and the like on other boards.
const cpuZone = /cpu|soc|x86_pkg|core/i;

/** Returns the temperature of the processor in °C; undefined without a sensor. */
export async function temperatureC(zones = '/sys/class/thermal'): Promise<number | undefined> {
  const names = await readdir(zones).catch(() => []);
  for (const name of names.filter((entry) => entry.startsWith('thermal_zone')).sort()) {
    const type = await readLine(join(zones, name, 'type'));
    if (!cpuZone.test(type)) continue;
    const text = await readLine(join(zones, name, 'temp'));
    if (/^-?\d+$/.test(text)) return Number(text) / 1000;
  }
  return undefined;
}

// A disabled sensor cannot be read and is ignored.
const readLine = async (path: string): Promise<string> => (await readFile(path, 'utf8').catch(() => '')).trim();

export function loadAverages(): System['processes_average'] {
  const [last_1min = 0, last_5min = 0, last_15min = 0] = loadavg().map((load) => Math.round(load * 100) / 100);
  return { last_1min, last_5min, last_15min };
}

// On ARM and other boards the kernel leaves the clock rate out of /proc/cpuinfo, which is all that os.cpus() reads.
const frequencyFiles = ['scaling_cur_freq', 'cpuinfo_cur_freq', 'cpuinfo_max_freq']; // in kHz; the second needs root

/** Current clock rate of the first core in MHz; undefined where the system does not report it. */
export async function cpuFreqMHz(
  folder = '/sys/devices/system/cpu/cpu0/cpufreq',
  ownSpeedMHz: number | undefined = cpus()[0]?.speed,
): Promise<number | undefined> {
  for (const name of frequencyFiles) {
    const text = await readLine(join(folder, name));
    if (/^[1-9]\d*$/.test(text)) return Math.round(Number(text) / 1000);
  }
  return ownSpeedMHz || undefined;
}

export async function storageMB(folder: string): Promise<number> {
  const { blocks, bsize } = await statfs(folder);
  return Math.round((blocks * bsize) / 2 ** 20);
}
