import { MessageChannel } from 'node:worker_threads';
import { Thread } from '../calls.ts';
import { toBuckets, toReadings } from '../results.ts';
import type { Retention, TelemetryStore } from '../telemetry-store.ts';
import { createAppends } from './appends.ts';
import { telemetryFile } from './database.ts';
import type { Reader, ReaderOptions } from './reader.ts';
import type { Sealer, SealerOptions } from './sealer.ts';
import type { Writer, WriterOptions } from './writer.ts';

export type SqliteTelemetryOptions = { dataDir: string; retention: Retention };

/** A file of its own, with threads that write, read and seal: the event loop waits for none, and writing not for sealing. */
export async function openSqliteTelemetry({ dataDir, retention }: SqliteTelemetryOptions): Promise<TelemetryStore> {
  const file = telemetryFile(dataDir);
  const { port1, port2 } = new MessageChannel();
  const writerOptions: WriterOptions = { file, sealer: port1 };
  const writer = new Thread<Writer>(new URL('./writer.ts', import.meta.url), writerOptions, [port1]);
  let forgottenBefore = await writer.call('open', []);
  const readerOptions: ReaderOptions = { file };
  const sealerOptions: SealerOptions = { file, retention, writer: port2 };
  // A thread costs memory: those that read and seal begin with the first call.
  const reader = lazily(() => new Thread<Reader>(new URL('./reader.ts', import.meta.url), readerOptions));
  const sealer = lazily(() => new Thread<Sealer>(new URL('./sealer.ts', import.meta.url), sealerOptions, [port2]));
  return {
    append: createAppends((batch) => writer.call('append', [batch], [batch.numbers.buffer])),
    oldestKept: () => forgottenBefore,
    latest: async (ders) => new Map((await reader.get().call('latest', [ders])).map((sample) => [sample.der, sample])),
    arrivedAfter: (ders, received) => reader.get().call('arrivedAfter', [ders, received]),
    raw: async (der, from, to, fields) => toReadings(await reader.get().call('raw', [der, from, to, fields])),
    buckets: async (der, edges, fields) => toBuckets(await reader.get().call('buckets', [der, edges, fields])),
    points: (der, asked, fields, format) => reader.get().call('points', [der, asked, fields, format]),
    seal: (now) => sealer.get().call('seal', [now]),
    async forget(now) {
      forgottenBefore = (await sealer.get().call('forget', [now])) ?? forgottenBefore;
    },
    close: async () => {
      await sealer.known()?.call('close', []);
      await reader.known()?.call('close', []);
      await writer.call('close', []);
      for (const thread of [sealer.known(), reader.known(), writer]) await thread?.end();
      port2.close();
    },
  };
}

function lazily<T>(make: () => T): { get(): T; known(): T | undefined } {
  let made: T | undefined;
  return {
    get() {
      made ??= make();
      return made;
    },
    known: () => made,
  };
}
