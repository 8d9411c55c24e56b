import { quarterMs } from '#contract/cloud/energy.ts';
import { minuteMs } from '#contract/time.ts';
import { findRegisteredDer, listEnergyDue, listRegisteredDers, type RegisteredDer } from '../store/energy.ts';
import type { CommonDeps } from '../store/store.ts';
import type { TelemetryStore } from '../store/telemetry/telemetry-store.ts';
import type { Place } from './account.ts';

const dersAtOnce = 200;
const marksAtOnce = 1000;
const othersMs = quarterMs + 5 * minuteMs; // by then another process has written its quarter

type Sweeping = Pick<CommonDeps, 'store' | 'clock' | 'log'> & {
  telemetry: Pick<TelemetryStore, 'latest'>;
  isShared: boolean;
  ledger: { catchUp(place: Place, earliest: number, due?: { quarter: number; version: number }): Promise<void> };
};

/**
 * Finds readings that are not in the ledger, because a process was killed, or because they are older than the ledger, and
 * marks of quarters that no process works on.
 */
export function createSweep({ store, telemetry, clock, log, isShared, ledger }: Sweeping) {
  let marksBefore = new Map<string, number>();
  let isFirst = true;

  async function sweepDers(): Promise<void> {
    const now = clock.now();
    const isAlone = isFirst && !isShared;
    let found = 0;
    for (let after = -1; ; ) {
      const ders = await listRegisteredDers(store.db, after, dersAtOnce);
      const last = ders.at(-1);
      if (!last) break; // a question to the store of readings would start a thread
      const latest = await telemetry.latest(ders.map(({ no }) => no));
      for (const { last_at, created_at, ...place } of ders) {
        const at = latest.get(place.no)?.at ?? 0;
        const since = last_at ?? 0;
        const isLate = at > since + othersMs || now > at + othersMs;
        if (at <= since || !(isAlone || isLate)) continue;
        await ledger.catchUp(place, Math.min(at, created_at));
        found++;
      }
      if (ders.length < dersAtOnce) break;
      after = last.no;
    }
    if (found > 0) log.info({ ders: found }, 'energy of stored readings is being entered');
    isFirst = false;
  }

  /** Takes marks that are left over; with other processes, those that were there a minute ago. */
  async function sweepMarks(): Promise<void> {
    const found = new Map<string, number>();
    let registered: RegisteredDer | undefined;
    for (let after = { der_no: -1, quarter: -1 }; ; ) {
      const marks = await listEnergyDue(store.db, after.der_no, after.quarter, marksAtOnce);
      for (const mark of marks) {
        const key = `${mark.der_no} ${mark.quarter}`;
        if (isShared) found.set(key, mark.version);
        if (isShared && marksBefore.get(key) !== mark.version) continue;
        if (registered?.no !== mark.der_no) registered = await findRegisteredDer(store.db, mark.der_no);
        if (!registered) continue;
        const { created_at, ...place } = registered;
        await ledger.catchUp(place, created_at, mark);
      }
      const last = marks.at(-1);
      if (!last || marks.length < marksAtOnce) break;
      after = last;
    }
    marksBefore = found;
  }

  return { sweepDers, sweepMarks };
}
