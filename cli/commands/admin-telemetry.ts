import { listPartitions, moveTelemetry } from '#cloud/operator/telemetry-partitions.ts';
import { UsageError } from '../line/command.ts';
import { withProgress } from '../server/backup-options.ts';
import { onPlatform } from '../server/platform-store.ts';

const partitions = onPlatform('admin telemetry partitions', {
  summary: 'List the partitions of telemetry in PostgreSQL and their servers',
  examples: ['admin telemetry partitions', 'admin telemetry partitions --json'],
  async run({ config }) {
    const items = await listPartitions(config);
    return { items, fields: ['partition', 'server', 'bytes', 'moving_to'] };
  },
});

const move = onPlatform('admin telemetry move', {
  summary: 'Move a partition of telemetry to another server of TELEMETRY_URLS, or to main; the platform may be running',
  arguments: [
    { name: 'partition', help: 'number of the partition' },
    { name: 'server', help: 'name of the server in TELEMETRY_URLS, or main' },
  ],
  examples: ['admin telemetry move 7 east', 'admin telemetry move 7 main'],
  async run({ config, arguments: { partition, server } }, shell) {
    if (!/^\d{1,4}$/.test(partition)) throw new UsageError(`"${partition}" is not the number of a partition.`);
    const part = Number(partition);
    const { from, chunks, rows, waitedMs } = await withProgress(shell, 'Copying', ({ signal, onProgress }) =>
      moveTelemetry(config, { part, target: server, signal, onProgress }),
    );
    const result = { partition: part, from, server, chunks, rows, waited_ms: waitedMs };
    const copied = `${chunks} chunks and ${rows} rows of readings were copied`;
    return {
      result,
      text: `Partition ${part} is on ${server} now: ${copied}, and new readings waited for ${waitedMs} ms.`,
    };
  },
});

export const telemetryCommands = [partitions, move];
