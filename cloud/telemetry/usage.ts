import { dayMs } from '#contract/time.ts';
import type { Clock } from '#lib/clock.ts';
import { every } from '#lib/every.ts';
import type { Logger } from '#lib/log.ts';
import type { Store } from '../store/store.ts';
import type { IngestRoute, UsageCount } from '../store/telemetry-registry.ts';
import { addUsage, deleteUsageBefore, listUsage, readUsage, type UsageRow } from '../store/telemetry-registry.ts';

/** Counts the bytes of readings that each organization has stored in the present UTC day. */
export type TelemetryUsage = {
  /** Whether the organization has reached its quota. */
  isUsedUp(orgId: string): boolean;
  add(route: Pick<IngestRoute, 'org_id' | 'usage'>, bytes: number): void;
  today(orgId: string): Promise<number>;
  start(): Promise<void>;
  stop(): Promise<void>;
};

type Deps = { store: Store; maxBytesPerDay: number; clock: Clock; log: Logger };

const checkMs = 1000;
const writeMs = 60_000; // a crash loses the count of this time; other processes learn of it as late
const rowsAtOnce = 200; // other requests are served between two transactions

export function createTelemetryUsage({ store, maxBytesPerDay, clock, log }: Deps): TelemetryUsage {
  const today = (): number => Math.floor(clock.now() / dayMs);
  const counts = new Map<string, UsageCount>(); // by organization; routes refer to the same objects
  const usedUp = new Set<string>();
  let day = today();
  let writtenAt = clock.now();
  let timer: NodeJS.Timeout | undefined;
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

  /** The counts that are not in the database yet. */
  const unwrittenRows = (): UsageRow[] =>
    [...counts].flatMap(([org_id, { unwritten: bytes }]) => (bytes > 0 ? [{ org_id, day, bytes }] : []));

  async function writeRows(rows: readonly UsageRow[]): Promise<void> {
    for (let from = 0; from < rows.length; from += rowsAtOnce) {
      const some = rows.slice(from, from + rowsAtOnce);
      const sums = await store.write(({ db }) => addUsage(db, some));
      if (some[0]!.day !== day) continue; // the day is over
      for (const { org_id, bytes } of some) countOf(org_id).unwritten -= bytes;
      for (const { org_id, bytes } of sums) {
        const count = countOf(org_id);
        count.written = bytes;
        compare(org_id, count);
      }
    }
  }

  /** One at a time, or the same bytes would be added twice. */
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
    isUsedUp: (orgId) => usedUp.size > 0 && usedUp.has(orgId),
    add(route, bytes) {
      route.usage ??= countOf(route.org_id); // so that most readings need no lookup
      const count = route.usage;
      count.unwritten += bytes;
      if (count.written + count.unwritten >= maxBytesPerDay) compare(route.org_id, count);
    },
    today: async (orgId) => (await readUsage(store.db, orgId, day)) + (counts.get(orgId)?.unwritten ?? 0),
    async start() {
      day = today();
      for (const { org_id, bytes } of await listUsage(store.db, day)) {
        const count = countOf(org_id);
        count.written = bytes;
        compare(org_id, count);
      }
      timer = every(checkMs, check, 'counting telemetry', log);
    },
    async stop() {
      clearInterval(timer);
      await write().catch((error: unknown) => log.warn({ err: error }, 'failed to persist the telemetry usage'));
    },
  };
}
