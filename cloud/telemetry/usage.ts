import { dayMs } from '#contract/time.ts';
import { createSchedule } from '#lib/every.ts';
import type { CommonDeps } from '../store/store.ts';
import type { IngestRoute, UsageCount } from '../store/telemetry-registry.ts';
import { addUsage, deleteUsageBefore, listUsage, readUsage, type UsageRow } from '../store/telemetry-registry.ts';

export type TelemetryUsage = ReturnType<typeof createTelemetryUsage>;

type Deps = CommonDeps & { maxBytesPerDay: number };

const checkMs = 1000;
const writeMs = 60_000; // a crash loses the count of this time, and other processes see it this late
const maxBatchSize = 200; // other requests are served between two transactions

/** Counts the bytes of readings that each organization stores in a UTC day. */
export function createTelemetryUsage({ store, maxBytesPerDay, clock, log }: Deps) {
  const today = (): number => Math.floor(clock.now() / dayMs);
  const counts = new Map<string, UsageCount>(); // by organization; routes refer to the same objects
  const usedUp = new Set<string>();
  let day = today();
  let writtenAt = clock.now();
  const schedule = createSchedule(log, [checkMs, check, 'counting telemetry']);
  let lastWrite = Promise.resolve();

  function countOf(orgId: string): UsageCount {
    const known = counts.get(orgId);
    if (known) return known;
    const count = { written: 0, unwritten: 0 };
    counts.set(orgId, count);
    return count;
  }

  function compare(orgId: string, { written, unwritten }: UsageCount): void {
    if (written + unwritten < maxBytesPerDay || usedUp.has(orgId)) return;
    usedUp.add(orgId);
    log.warn({ org_id: orgId, max_bytes: maxBytesPerDay }, 'telemetry quota of the day used up, readings are dropped');
  }

  const unwrittenRows = (): UsageRow[] =>
    [...counts].flatMap(([org_id, { unwritten: bytes }]) => (bytes > 0 ? [{ org_id, day, bytes }] : []));

  async function writeRows(rows: readonly UsageRow[]): Promise<void> {
    for (let from = 0; from < rows.length; from += maxBatchSize) {
      const some = rows.slice(from, from + maxBatchSize);
      const sums = await store.write(({ db }) => addUsage(db, some));
      if (some.some((row) => row.day !== day)) continue; // the day is over
      for (const { org_id, bytes } of some) countOf(org_id).unwritten -= bytes;
      noteWritten(sums);
    }
  }

  function noteWritten(sums: readonly { org_id: string; bytes: number }[]): void {
    for (const { org_id, bytes } of sums) {
      const count = countOf(org_id);
      count.written = bytes;
      compare(org_id, count);
    }
  }

  /** Writes one after the other, so that no bytes are added twice. */
  function write(): Promise<void> {
    writtenAt = clock.now();
    lastWrite = lastWrite.catch(() => {}).then(() => writeRows(unwrittenRows()));
    return lastWrite;
  }

  async function beginDay(): Promise<void> {
    const rows = unwrittenRows();
    day = today();
    for (const count of counts.values()) Object.assign(count, { written: 0, unwritten: 0 });
    usedUp.clear();
    await writeRows(rows);
    await store.write(({ db }) => deleteUsageBefore(db, day));
  }

  async function check(): Promise<void> {
    if (today() !== day) await beginDay();
    else if (Math.abs(clock.now() - writtenAt) >= writeMs) await write();
  }

  return {
    isUsedUp: (orgId: string): boolean => usedUp.size > 0 && usedUp.has(orgId),
    add(route: Pick<IngestRoute, 'org_id' | 'usage'>, bytes: number): void {
      route.usage ??= countOf(route.org_id); // so that most readings need no lookup
      const count = route.usage;
      count.unwritten += bytes;
      if (count.written + count.unwritten >= maxBytesPerDay) compare(route.org_id, count);
    },
    today: async (orgId: string): Promise<number> =>
      (await readUsage(store.db, orgId, day)) + (counts.get(orgId)?.unwritten ?? 0),
    async start(): Promise<void> {
      day = today();
      noteWritten(await listUsage(store.db, day));
      schedule.start();
    },
    async stop(): Promise<void> {
      schedule.stop();
      await write().catch((error: unknown) => log.warn({ err: error }, 'failed to persist the telemetry usage'));
    },
  };
}
