import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '#lib/clock.ts';
import type { Facts, Part } from '../profiles/control/control-profile.ts';
import type { Marker, Markers } from './marker.ts';
import type { Place } from './place.ts';
import type { Watchdog } from './watchdog.ts';
import type { Ends } from './watchdog-messages.ts';

export type TracesDeps = { markers: Markers; watchdog: Watchdog; clock: Clock; monotonic: Clock };

/** What control may have left on a device: on disk and with the watchdog, from before the first write to after the last. */
export class Traces {
  private readonly sn: string;
  private readonly profile: string;
  private readonly deps: TracesDeps;
  private marker: Marker | undefined;
  /** parts that may have been written and were not seen in their own mode since */
  private readonly touched = new Set<Part>();
  /** parts that were seen in their own mode since, and of which that is still to be noted */
  private readonly freed = new Set<Part>();

  constructor(sn: string, profile: string, deps: TracesDeps) {
    this.sn = sn;
    this.profile = profile;
    this.deps = deps;
  }

  /** Those that a process before has left. */
  takeUp(marker: Marker): void {
    this.marker = marker;
    for (const part of marker.parts) this.touched.add(part);
  }

  get left(): Marker | undefined {
    return this.marker;
  }

  /** Before the first write it is known that the device may need to be released, where, and when at the latest. */
  async mark(part: Part, { place, facts, ends }: { place: Place; facts: Facts; ends: Ends }): Promise<void> {
    const { clock, monotonic, markers, watchdog } = this.deps;
    this.freed.delete(part);
    if (!(this.marker && this.touched.has(part) && isDeepStrictEqual(this.marker.place, place))) {
      const now = clock.now();
      const marker: Marker = {
        id: this.marker?.id ?? randomUUID(),
        sn: this.sn,
        profile: this.profile,
        place,
        parts: [...new Set([...this.touched, part])],
        registers: this.marker?.registers ?? [],
        facts,
        since: this.marker?.since ?? now,
        until: Math.round(now + ends[part]! - monotonic.now()),
      };
      await markers.write(marker);
      this.marker = marker;
      this.touched.add(part);
    }
    await watchdog.hold(this.marker, ends);
  }

  /** Registers that were seen to hold what was written: whoever releases the device knows that it has them. */
  async note(registers: readonly number[], ends: Ends): Promise<void> {
    const marker = this.marker!;
    const noted = marker.registers ?? [];
    const fresh = registers.filter((address) => !noted.includes(address));
    if (fresh.length === 0) return;
    this.marker = { ...marker, registers: [...noted, ...fresh] };
    await this.deps.markers.write(this.marker);
    await this.deps.watchdog.hold(this.marker, ends);
  }

  /** Which of these parts have to be released still; when nothing is held on, all that may have been written. */
  toRelease(parts: readonly Part[], isAll: boolean): Part[] {
    const wanted = new Set([...parts, ...(isAll ? this.touched : [])]);
    return [...wanted].filter((part) => !this.freed.has(part));
  }

  released(parts: readonly Part[]): void {
    for (const part of parts) {
      this.touched.delete(part);
      this.freed.add(part);
    }
  }

  /** Something else is held on. */
  async keep(ends: Ends): Promise<void> {
    await this.deps.watchdog.hold(this.marker!, ends);
    this.freed.clear();
  }

  /** Nothing is held any more. */
  async wipe(): Promise<void> {
    await this.deps.markers.remove(this.sn);
    this.marker = undefined;
    this.deps.watchdog.released(this.sn);
    this.freed.clear();
  }
}
