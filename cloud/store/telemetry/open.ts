import type { Logger } from '#lib/log.ts';
import type { PostgresTelemetryOptions } from './postgres/open.ts';
import type { Retention, TelemetryStore } from './telemetry-store.ts';

type TelemetryOptions = Pick<PostgresTelemetryOptions, 'servers' | 'partitions'> & {
  dataDir: string;
  databaseUrl?: string | undefined;
  retention: Retention;
  log: Logger;
};

/** Opens the telemetry store beside the registry: in the data folder, or in PostgreSQL. Loads only the one that is used. */
export async function openTelemetry({ dataDir, databaseUrl, ...options }: TelemetryOptions): Promise<TelemetryStore> {
  if (databaseUrl) {
    const { openPostgresTelemetry } = await import('./postgres/open.ts');
    return openPostgresTelemetry({ url: databaseUrl, ...options });
  }
  const { openSqliteTelemetry } = await import('./sqlite/open.ts');
  return openSqliteTelemetry({ dataDir, ...options });
}
