import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { readJson, syncPath, writeJson } from '#lib/atomic-file.ts';
import type { Clock } from '#lib/clock.ts';
import { fileNameOf, isDeviceFile } from '../devices/device-files.ts';
import type { DeviceAddress } from '../devices/resolve-address.ts';
import type { Facts, Part } from '../profiles/control/control-profile.ts';
import type { Watchdog } from './watchdog.ts';
import type { Marker, ReleaseDeadlines } from './watchdog-messages.ts';

export type Markers = {
  /** `damaged` lists unreadable markers, by the path they were moved to. */
  load(): Promise<{ markers: Marker[]; damaged: string[] }>;
  find(sn: string): Promise<Marker | undefined>;
  write(marker: Marker): Promise<void>;
  remove(sn: string): Promise<void>;
};

export function createMarkers(folder: string): Markers {
  const pathOf = (sn: string): string => join(folder, fileNameOf(sn));

  return {
    async load() {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const names = (await readdir(folder)).filter(isDeviceFile);
      const found = await Promise.all(names.map((name) => readJson<Marker>(join(folder, name))));
      return {
        markers: found.flatMap((each) => each?.data ?? []),
        damaged: found.flatMap((each) => each?.damaged ?? []),
      };
    },
    find: async (sn) => (await readJson<Marker>(pathOf(sn)))?.data,
    write: (marker) => writeJson(pathOf(marker.sn), marker),
    async remove(sn) {
      await rm(pathOf(sn), { force: true });
      await syncPath(folder);
    },
  };
}

export type ControlJournalDeps = { markers: Markers; watchdog: Watchdog; clock: Clock; monotonic: Clock };

/** Records on disk and with the watchdog what may have been written to a device, from before the first write on. */
export class ControlJournal {
  readonly #sn: string;
  readonly #profile: string;
  readonly #deps: ControlJournalDeps;
  #marker: Marker | undefined;
  /** parts that may have been written and are not yet confirmed to be in their own mode */
  readonly #written = new Set<Part>();
  /** parts confirmed to be in their own mode, until that is recorded */
  readonly #released = new Set<Part>();

  constructor(sn: string, profile: string, deps: ControlJournalDeps) {
    this.#sn = sn;
    this.#profile = profile;
    this.#deps = deps;
  }

  /** Continues from the marker of an earlier process. */
  restore(marker: Marker): void {
    this.#marker = marker;
    for (const part of marker.parts) this.#written.add(part);
  }

  get marker(): Marker | undefined {
    return this.#marker;
  }

  /** Call before the first write to a part: records where the device is and when it must be released. */
  async begin(
    part: Part,
    { address, facts, endsAt }: { address: DeviceAddress; facts: Facts; endsAt: number },
    deadlines: ReleaseDeadlines,
  ): Promise<void> {
    const { clock, monotonic, markers, watchdog } = this.#deps;
    const current = this.#marker;
    this.#released.delete(part);
    if (current && this.#written.has(part) && isDeepStrictEqual(current.place, address)) {
      return watchdog.hold(current, deadlines);
    }
    const now = clock.now();
    const marker: Marker = {
      id: current?.id ?? randomUUID(),
      sn: this.#sn,
      profile: this.#profile,
      place: address,
      parts: [...new Set([...this.#written, part])],
      registers: current?.registers ?? [],
      facts,
      since: current?.since ?? now,
      until: Math.round(now + endsAt - monotonic.now()),
    };
    await markers.write(marker);
    this.#marker = marker;
    this.#written.add(part);
    await watchdog.hold(marker, deadlines);
  }

  /** Records registers that held the written value, so that the process that releases the device relies on them. */
  async noteRegisters(registers: readonly number[], deadlines: ReleaseDeadlines): Promise<void> {
    const marker = this.#current();
    const noted = marker.registers ?? [];
    const fresh = registers.filter((address) => !noted.includes(address));
    if (fresh.length === 0) return;
    const extended = { ...marker, registers: [...noted, ...fresh] };
    this.#marker = extended;
    await this.#deps.markers.write(extended);
    await this.#deps.watchdog.hold(extended, deadlines);
  }

  /** Returns the parts that still need a release; with `isAll`, every part that may have been written. */
  partsToRelease(parts: readonly Part[], isAll: boolean): Part[] {
    const wanted = new Set([...parts, ...(isAll ? this.#written : [])]);
    return [...wanted].filter((part) => !this.#released.has(part));
  }

  noteReleased(parts: readonly Part[]): void {
    for (const part of parts) {
      this.#written.delete(part);
      this.#released.add(part);
    }
  }

  /** Call after a release while other parts are still held. */
  async keep(deadlines: ReleaseDeadlines): Promise<void> {
    await this.#deps.watchdog.hold(this.#current(), deadlines);
    this.#released.clear();
  }

  /** Call after a release when nothing is held any more. */
  async clear(): Promise<void> {
    await this.#deps.markers.remove(this.#sn);
    this.#marker = undefined;
    this.#deps.watchdog.released(this.#sn);
    this.#released.clear();
  }

  #current(): Marker {
    if (!this.#marker) throw new Error(`${this.#sn} is not under control.`);
    return this.#marker;
  }
}
