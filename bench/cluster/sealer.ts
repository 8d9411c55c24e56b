// A process that seals the telemetry of a database on request.
import { openTelemetry } from '#cloud/store/telemetry/open.ts';
import { hourMs } from '#contract/time.ts';
import { createLog } from '#lib/log.ts';

/** The answer to a request, which is the time now. */
export type Sealed = { readings: number; cpuUs: number };

const [databaseUrl] = process.argv.slice(2);
const retention = { rawMs: 365 * 24 * hourMs, minutesMs: 365 * 24 * hourMs, hoursMs: 365 * 24 * hourMs };
const log = createLog({ level: 'warn', name: 'sealer' });
const telemetry = await openTelemetry({ dataDir: '', databaseUrl, retention, log });

process.on('message', ({ now }: { now: number }) => {
  const before = process.cpuUsage();
  void telemetry.seal(now).then(({ readings }) => {
    const { user, system } = process.cpuUsage(before);
    process.send?.({ readings, cpuUs: user + system } satisfies Sealed);
  });
});
process.on('disconnect', () => void telemetry.close().finally(() => process.exit()));
