import { quarterMs } from '#contract/cloud/energy.ts';
import { minuteMs } from '#contract/time.ts';
import { findRegisteredDer, listEnergyDue, listRegisteredDers } from '../store/energy.ts';
import type { CommonDeps } from '../store/store.ts';
import type { TelemetryStore } from '../store/telemetry/telemetry-store.ts';
import type { Place } from './account.ts';

const dersAtOnce = 200;
const marksAtOnce = 1000;
const othersMs = quarterMs + 5 * minuteMs; // by then another process has written its quarter

type Sweeping = Pick<CommonDeps, 'store' | 'log'> & {
  telemetry: Pick<TelemetryStore, 'latest'>;
  isShared: boolean;
  ledger: { catchUp(place: Place, earliest: number, due?: { quarter: number; version: number }): Promise<void> };
};

/**
 * Finds readings that are not in the ledger, because a process was killed, or because they are older than the ledger, and
 * marks of quarters that no process works on.
 */
export function createSweep({ store, telemetry, log, isShared, ledger }: Sweeping) {
  let marksBefore = new Map<string, number>();
  let isFirst = true;

  async function sweepDers(): Promise<void> {
    const tolerance = isShared || !isFirst ? othersMs : 0;
    let found = 0;
    for (let after = -1; ; ) {
      const ders = await listRegisteredDers(store.db, after, dersAtOnce);
      const latest = await telemetry.latest(ders.map(({ no }) => no));
      for (const { last_at, created_at, ...place } of ders) {
        const at = latest.get(place.no)?.at ?? 0;
        if (at <= (last_at ?? 0) + tolerance) continue;
        await ledger.catchUp(place, Math.min(at, created_at));
        found++;
      }
      const last = ders.at(-1);
      if (!last || ders.length < dersAtOnce) break;
      after = last.no;
    }
    if (found > 0) log.info({ ders: found }, 'energy of stored readings is being entered');
    isFirst = false;
  }

  /** Takes marks that are left over; with other processes, those that were there a minute ago. */
  async function sweepMarks(): Promise<void> {
    const marks = await listEnergyDue(store.db, marksAtOnce);
    if (marks.length === marksAtOnce) log.warn({ marks: marks.length }, 'many quarters of energy wait to be corrected');
    const isLeft = ({ key, version }: { key: string; version: number }): boolean =>
      !isShared || marksBefore.get(key) === version;
    const keyed = marks.map((mark) => ({ ...mark, key: `${mark.der_no} ${mark.quarter}` }));
    for (const mark of keyed.filter(isLeft)) {
      const registered = await findRegisteredDer(store.db, mark.der_no);
      if (!registered) continue;
      const { created_at, ...place } = registered;
      await ledger.catchUp(place, created_at, mark);
    }
    marksBefore = new Map(keyed.map(({ key, version }) => [key, version]));
  }

  return { sweepDers, sweepMarks };
}
