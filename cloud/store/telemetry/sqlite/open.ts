import { MessageChannel } from 'node:worker_threads';
import type { Logger } from '#lib/log.ts';
import { openUndamaged } from '../../damage.ts';
import { createStore } from '../queries.ts';
import type { Sealer } from '../sealing-run.ts';
import type { Retention, TelemetryStore } from '../telemetry-store.ts';
import { Thread } from '../threads.ts';
import { createAppendQueue } from './appends.ts';
import { openForWriting, telemetryFile } from './database.ts';
import type { Reader, ReaderOptions } from './reader.ts';
import type { SealerOptions } from './sealer.ts';
import { writeTables } from './tables.ts';
import type { Writer, WriterOptions } from './writer.ts';

export type SqliteTelemetryOptions = { dataDir: string; retention: Retention; log: Logger };

/** Opens telemetry.db with a thread each to write, read and seal: the event loop waits for none of them, and writes do not wait for sealing. */
export async function openSqliteTelemetry(options: SqliteTelemetryOptions): Promise<TelemetryStore> {
  const { dataDir, retention, log } = options;
  const file = telemetryFile(dataDir);
  const lost = (thread: string) => (error: Error) =>
    log.error({ err: error, thread }, 'telemetry thread ended unexpectedly');
  const writer = new Thread<Writer>({
    script: new URL('./writer.ts', import.meta.url),
    given: () => ({ workerData: { file } satisfies WriterOptions }),
    onLost: lost('writer'),
  });
  const reader = new Thread<Reader>({
    script: new URL('./reader.ts', import.meta.url),
    given: () => ({ workerData: { file } satisfies ReaderOptions }),
    onLost: lost('reader'),
  });
  const sealer = new Thread<Sealer>({
    script: new URL('./sealer.ts', import.meta.url),
    given() {
      const { port1, port2 } = new MessageChannel();
      writer.call('serve', [port1], [port1]).catch(() => {}); // the sealer then sees its port close, and ends
      return { workerData: { file, retention, writer: port2 } satisfies SealerOptions, transferList: [port2] };
    },
    onLost: lost('sealer'),
  });
  return createStore({
    append: createAppendQueue((batch) => writer.call('append', [batch], [batch.numbers.buffer])),
    batching: { gatherMs: 5, enough: 100 }, // a batch costs a disk flush
    serverOf: () => 'main',
    queries: reader.methods,
    sealer: sealer.methods,
    forgottenBefore: await prepare(file),
    close: async () => {
      for (const thread of [sealer, reader, writer]) await thread.close();
    },
  });
}

/** Migrates the file before a thread needs it, and returns the time before which readings are deleted. */
async function prepare(file: string): Promise<number> {
  using database = openUndamaged(file, () => openForWriting(file));
  return await writeTables(database).state('forgotten_before');
}
