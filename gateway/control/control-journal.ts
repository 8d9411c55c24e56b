import { randomUUID } from 'node:crypto';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { readJson, removeFile, writeJson } from '#lib/atomic-file.ts';
import type { Clock } from '#lib/clock.ts';
import { fileNameOf, isDeviceFile } from '../devices/device-files.ts';
import type { DeviceAddress } from '../devices/resolve-address.ts';
import type { Facts, Part } from '../profiles/control/control-profile.ts';
import type { Watchdog } from './watchdog.ts';
import type { Marker, ReleaseDeadlines } from './watchdog-messages.ts';

export type Markers = ReturnType<typeof createMarkers>;

export function createMarkers(folder: string) {
  const pathOf = (sn: string): string => join(folder, fileNameOf(sn));

  return {
    /** `damaged` lists unreadable markers, by the path they were moved to. */
    async load(): Promise<{ markers: Marker[]; damaged: string[] }> {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const names = (await readdir(folder)).filter(isDeviceFile);
      const found = await Promise.all(names.map((name) => readJson<Marker>(join(folder, name))));
      return {
        markers: found.flatMap((each) => each?.data ?? []),
        damaged: found.flatMap((each) => each?.damaged ?? []),
      };
    },
    find: async (sn: string): Promise<Marker | undefined> => (await readJson<Marker>(pathOf(sn)))?.data,
    write: (marker: Marker): Promise<void> => writeJson(pathOf(marker.sn), marker),
    remove: (sn: string): Promise<void> => removeFile(pathOf(sn)),
  };
}

export type ControlJournalDeps = { markers: Markers; watchdog: Watchdog; clock: Clock; monotonic: Clock };

/** Records on disk and with the watchdog what may have been written to a device, from before the first write on. */
export function createControlJournal(sn: string, profile: string, deps: ControlJournalDeps) {
  const { clock, monotonic, markers, watchdog } = deps;
  let marker: Marker | undefined;
  /** parts that may have been written and are not yet confirmed to be in their own mode */
  const written = new Set<Part>();
  /** parts confirmed to be in their own mode, until that is recorded */
  const released = new Set<Part>();

  function current(): Marker {
    if (!marker) throw new Error(`${sn} is not under control.`);
    return marker;
  }

  return {
    /** Continues from the marker of an earlier process. */
    restore(earlier: Marker): void {
      marker = earlier;
      for (const part of earlier.parts) written.add(part);
    },

    marker: () => marker,

    /** Call before the first write to a part: records where the device is and when it must be released. */
    async begin(
      part: Part,
      { address, facts, endsAt }: { address: DeviceAddress; facts: Facts; endsAt: number },
      deadlines: ReleaseDeadlines,
    ): Promise<void> {
      released.delete(part);
      if (!marker || !written.has(part) || !isDeepStrictEqual(marker.place, address)) {
        const now = clock.now();
        const extended: Marker = {
          id: marker?.id ?? randomUUID(),
          sn,
          profile,
          place: address,
          parts: [...new Set([...written, part])],
          registers: marker?.registers ?? [],
          facts,
          since: marker?.since ?? now,
          until: Math.round(now + endsAt - monotonic.now()),
        };
        await markers.write(extended);
        marker = extended;
        written.add(part);
      }
      await watchdog.hold(marker, deadlines);
    },

    /** Records registers that held the written value, so that the process that releases the device relies on them. */
    async noteRegisters(registers: readonly number[], deadlines: ReleaseDeadlines): Promise<void> {
      const { registers: noted = [], ...rest } = current();
      const fresh = registers.filter((address) => !noted.includes(address));
      if (fresh.length === 0) return;
      marker = { ...rest, registers: [...noted, ...fresh] };
      await markers.write(marker);
      await watchdog.hold(marker, deadlines);
    },

    /** Returns the parts that still need a release; with `isAll`, every part that may have been written. */
    partsToRelease: (parts: readonly Part[], isAll: boolean): Part[] =>
      [...new Set([...parts, ...(isAll ? written : [])])].filter((part) => !released.has(part)),

    noteReleased(parts: readonly Part[]): void {
      for (const part of parts) {
        written.delete(part);
        released.add(part);
      }
    },

    /** Call when a lease ends later, but nothing is written. */
    extend: (deadlines: ReleaseDeadlines): Promise<void> => watchdog.hold(current(), deadlines),

    /** Call after a release while other parts are still held. */
    async keep(deadlines: ReleaseDeadlines): Promise<void> {
      await watchdog.hold(current(), deadlines);
      released.clear();
    },

    /** Call after a release when nothing is held any more. */
    async clear(): Promise<void> {
      await markers.remove(sn);
      marker = undefined;
      watchdog.released(sn);
      released.clear();
    },
  };
}
