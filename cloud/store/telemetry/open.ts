import type { Logger } from '#lib/log.ts';
import type { Retention, TelemetryStore } from './telemetry-store.ts';

type TelemetryOptions = { dataDir: string; databaseUrl?: string | undefined; retention: Retention; log: Logger };

/** Opens the telemetry store beside the registry: in the data folder, or in PostgreSQL. Loads only the one that is used. */
export async function openTelemetry(options: TelemetryOptions): Promise<TelemetryStore> {
  const { dataDir, databaseUrl, retention, log } = options;
  if (databaseUrl) {
    const { openPostgresTelemetry } = await import('./postgres/open.ts');
    return openPostgresTelemetry({ url: databaseUrl, retention, log });
  }
  const { openSqliteTelemetry } = await import('./sqlite/open.ts');
  return openSqliteTelemetry({ dataDir, retention, log });
}
