import { DatabaseSync } from 'node:sqlite';
import { telemetryFile } from '#cloud/store/telemetry/sqlite/database.ts';
import { tiers } from '#cloud/store/telemetry/tables.ts';

export type StoredSize = {
  /** the used pages of the file */
  whole: number;
  /** chunks of readings */
  readings: number;
  /** their five-minute and hourly rollups */
  rollups: number;
};

/** Returns the bytes that the sealed readings of a data folder take, when none is hot. */
export function storedSize(dataDir: string): StoredSize {
  using database = new DatabaseSync(telemetryFile(dataDir), { readOnly: true });
  const number = (sql: string): number => Object.values(database.prepare(sql).get() as Record<string, number>)[0]!;
  const hot = number('select count(*) from samples');
  if (hot > 0) throw new Error(`${hot} readings are not sealed; fill whole days and seal a day later.`);
  const pages = number('pragma page_count') - number('pragma freelist_count');
  const chunks = number('select sum(length(body)) from chunks');
  const readings = number(`select sum(length(body)) from chunks where tier in (${tiers.hour}, ${tiers.day})`);
  return { whole: pages * number('pragma page_size'), readings, rollups: chunks - readings };
}
