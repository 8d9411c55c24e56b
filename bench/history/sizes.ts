import { DatabaseSync } from 'node:sqlite';
import { telemetryFile } from '#cloud/store/telemetry/sqlite/database.ts';
import { tiers } from '#cloud/store/telemetry/tables.ts';

/** Bytes that the chunks of a sealed day of a DER take: its readings alone, and with their minutes. */
export function sealedDayBytes(dataDir: string, der: number, day: number): { readings: number; withMinutes: number } {
  using database = new DatabaseSync(telemetryFile(dataDir), { readOnly: true });
  const size = database.prepare('select length(body) as bytes from chunks where tier = ? and der = ? and start = ?');
  const bytesOf = (tier: number): number => (size.get(tier, der, day) as { bytes: number }).bytes;
  const readings = bytesOf(tiers.day);
  return { readings, withMinutes: readings + bytesOf(tiers.minutes) };
}
