import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readJson, syncPath, writeJson } from '#lib/atomic-file.ts';
import { fileNameOf, isOfDevice } from '../devices/file-name.ts';
import type { Facts } from '../profiles/control/control-profile.ts';
import type { Written } from './hand.ts';
import type { Place } from './place.ts';

/** On disk from before the first write to a device until it is seen in its own mode again. */
export type Marker = Written & {
  /** of one time of control: whoever finds another one has nothing left to do */
  id: string;
  sn: string;
  profile: string;
  place: Place;
  facts: Facts;
  /** ms since the epoch: when control began, and until when its first lease was */
  since: number;
  until: number;
};

export type Markers = {
  /** `damaged` is where a marker that cannot be read was set aside. */
  load(): Promise<{ markers: Marker[]; damaged: string[] }>;
  find(sn: string): Promise<Marker | undefined>;
  write(marker: Marker): Promise<void>;
  remove(sn: string): Promise<void>;
};

export function createMarkers(folder: string): Markers {
  const pathOf = (sn: string): string => join(folder, fileNameOf(sn));
  const read = async (path: string) => readJson<Marker>(path);

  return {
    async load() {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const names = (await readdir(folder)).filter(isOfDevice);
      const found = await Promise.all(names.map((name) => read(join(folder, name))));
      return {
        markers: found.flatMap((each) => each?.data ?? []),
        damaged: found.flatMap((each) => each?.damaged ?? []),
      };
    },
    find: async (sn) => (await read(pathOf(sn)))?.data,
    write: (marker) => writeJson(pathOf(marker.sn), marker),
    async remove(sn) {
      await rm(pathOf(sn), { force: true });
      await syncPath(folder);
    },
  };
}
