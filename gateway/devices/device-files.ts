import { hash } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DerEntry } from '#contract/gateway/devices.ts';
import { readJson, syncPath, writeJson } from '#lib/atomic-file.ts';
import type { Logger } from '#lib/log.ts';
import type { DeviceConnection } from './connection.ts';
import type { Found } from './driver.ts';

/** Returns the name of a device's file, a hash because a serial may contain any character. */
export const fileNameOf = (sn: string): string => `${hash('sha256', sn).slice(0, 16)}.json`;

export const isDeviceFile = (fileName: string): boolean => /^[0-9a-f]{16}\.json$/.test(fileName);

/** Configuration of a device on disk. */
export type KeptDevice = {
  sn: string;
  connection: DeviceConnection;
  ders: DerEntry[];
  found?: Found;
  /** ms; when a person confirmed that the device obeys */
  control_confirmed_at?: number;
};

export type DeviceFiles = Awaited<ReturnType<typeof openDeviceFiles>>;

/** Returns the path of a device as the local API shows it. */
export const shownPath = (sn: string): string => `spiffs/devices/${fileNameOf(sn)}`;

export async function openDeviceFiles(folder: string, log: Logger) {
  await mkdir(folder, { recursive: true, mode: 0o700 });

  const paths = async (isWanted: (name: string) => boolean = () => true): Promise<string[]> =>
    (await readdir(folder)).filter(isWanted).map((name) => join(folder, name));

  async function removeFiles(files: readonly string[]): Promise<void> {
    for (const file of files) await rm(file, { force: true });
    await syncPath(folder);
  }

  return {
    async load(): Promise<KeptDevice[]> {
      const kept: KeptDevice[] = [];
      await removeFiles(await paths((name) => name.endsWith('.tmp'))); // left by writes that a power cut interrupted
      for (const path of await paths(isDeviceFile)) {
        const read = await readJson<KeptDevice>(path);
        if (read?.data) kept.push(read.data);
        else log.error({ file: read?.damaged }, 'the file of a device was damaged and set aside');
      }
      return kept;
    },
    save: (device: KeptDevice): Promise<void> => writeJson(join(folder, fileNameOf(device.sn)), device),
    remove: (sn: string): Promise<void> => removeFiles([join(folder, fileNameOf(sn))]),
    /** Also removes damaged files that were set aside, since they may contain passwords. */
    removeAll: async (): Promise<void> => removeFiles(await paths()),
  };
}
