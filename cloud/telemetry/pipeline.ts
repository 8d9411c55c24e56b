import { formatTime, hourMs } from '#contract/time.ts';
import { type GatewayTopic, parseGatewayTopic } from '#contract/topics.ts';
import type { Clock } from '#lib/clock.ts';
import { every } from '#lib/every.ts';
import { formatEvent } from '#lib/http/sse.ts';
import type { Logger } from '#lib/log.ts';
import type { Registry } from '#lib/metrics/registry.ts';
import type { Message, Transport, TransportEvents } from '../broker/transport.ts';
import { type CommandTracking, createCommandTracking } from '../commands/tracking.ts';
import { type CellSums, createCellPower } from '../public/cell-power.ts';
import { createCellSums, rearrange, remember } from '../public/cell-sums.ts';
import { createFrozenSums } from '../public/guarded-sums.ts';
import type { Store } from '../store/store.ts';
import { isPoison } from '../store/telemetry/faults.ts';
import type { TelemetryStore } from '../store/telemetry/telemetry-store.ts';
import { createIngestCounts, type IngestCounts } from './counts.ts';
import { eraseDeleted, eraseEveryMs } from './erasure.ts';
import { createFieldLimit } from './field-limit.ts';
import { createIngest } from './ingest.ts';
import { createLatest, type Latest } from './latest.ts';
import { createLive, type Live } from './live.ts';
import { createPresence } from './presence.ts';
import { createRouting } from './routing.ts';
import { createTelemetryUsage, type TelemetryUsage } from './usage.ts';

export type PipelineDeps = {
  store: Store;
  telemetry: TelemetryStore;
  transport: Transport;
  /** several processes share the work, so none has seen everything */
  isShared: boolean;
  /** sites that a public sum is of, at least */
  minSites: number;
  /** distinct field names of a DER that are kept */
  maxFieldsPerDer: number;
  /** of the readings of one organization */
  maxBytesPerDay: number;
  registry: Registry;
  clock: Clock;
  log: Logger;
};

/** All that happens to what gateways send, and what is sent to them. */
export type Pipeline = {
  live: Live;
  latest: Latest;
  commands: CommandTracking;
  counts: IngestCounts;
  usage: Pick<TelemetryUsage, 'today'>;
  cellSums(cell: string, since: number): Promise<CellSums>;
  /** The registry changed for this gateway, or in ways that nobody can tell. */
  forget(serial?: string): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
};

const sealMs = 60_000;
const forgetMs = hourMs;
const nothingToDo = Promise.resolve();

/** Where the log lines of a gateway are followed. */
export const logChannel = (serial: string): string => `gateway-log/${serial}`;

export function createPipeline({
  store,
  telemetry,
  transport,
  isShared,
  minSites,
  maxFieldsPerDer,
  maxBytesPerDay,
  registry,
  clock,
  log,
}: PipelineDeps): Pipeline {
  const live = createLive(isShared ? transport : undefined);
  const latest = createLatest(telemetry, { isShared });
  const routing = createRouting(store, clock);
  const cellPower = createCellPower();
  const cellSources = { store, latest, cellPower };
  const counts = createIngestCounts(registry);
  const commands = createCommandTracking({ store, transport, live, clock, log });
  const presence = createPresence({ store, live, clock, log });
  const usage = createTelemetryUsage({ store, maxBytesPerDay, clock, log });
  const fieldLimit = createFieldLimit({ store, maxFieldsPerDer, isShared, log });
  const ingest = createIngest({
    telemetry,
    routing,
    latest,
    live,
    transport,
    counts,
    fieldLimit,
    clock,
    log,
    isPoison,
    activate: presence.activate,
    usage,
    onReading: (route, at, values) => {
      presence.heard(route);
      cellPower.note(route, at, values);
    },
  });

  /** Samples of one batch are answered with one promise. */
  function message({ topic, payload }: Message): Promise<boolean> {
    const said = parseGatewayTopic(topic);
    return said?.kind === 'telemetry' ? ingest.telemetry(said, payload) : hear(said, payload);
  }

  async function hear(
    said: Exclude<GatewayTopic, { kind: 'telemetry' }> | undefined,
    payload: Uint8Array,
  ): Promise<boolean> {
    if (said?.kind === 'command-ack') return commands.acknowledged(said.serial, payload);
    if (said?.kind === 'state') presence.state(said.serial, payload);
    if (said?.kind === 'logs') followLog(said.serial, payload);
    return false;
  }

  function followLog(serial: string, payload: Uint8Array): void {
    const channel = logChannel(serial);
    if (live.hasListeners(channel)) live.emit(channel, formatEvent(Buffer.from(payload).toString()));
  }

  /** Seals what is due, and reports the hours that were set aside. */
  async function seal(): Promise<void> {
    const { setAside } = await telemetry.seal(clock.now());
    const byHour = Map.groupBy(setAside, ({ der, hour }) => `${der} ${hour}`);
    for (const parts of byHour.values()) {
      const { der, hour } = parts[0]!;
      const readings = parts.reduce((sum, part) => sum + part.readings, 0);
      counts.setAside(readings);
      log.warn(
        { der_no: der, hour: formatTime(hour), readings },
        'readings of an hour were set aside: they have too many fields to be sealed, and have no means',
      );
    }
  }

  const events: TransportEvents = { message, presence: presence.connection };
  let timers: NodeJS.Timeout[] = [];
  let remembering: Promise<void> | undefined;
  let rearranged = nothingToDo;

  return {
    live,
    latest,
    commands,
    counts,
    usage,
    cellSums:
      minSites > 1 ? createFrozenSums({ store, latest, minSites }) : createCellSums({ ...cellSources, isShared }),
    forget(serial) {
      routing.forget(serial);
      if (serial === undefined || isShared) return nothingToDo;
      // One after the other, so that the last has seen the last change.
      rearranged = rearranged.catch(() => {}).then(() => rearrange(serial, cellSources));
      return rearranged;
    },
    async start() {
      await usage.start();
      await fieldLimit.start();
      presence.start();
      commands.start();
      timers = [
        every(sealMs, seal, 'sealing telemetry', log),
        every(eraseEveryMs, () => eraseDeleted({ store, telemetry, latest }, clock.now()), 'erasing telemetry', log),
        every(forgetMs, () => telemetry.forget(clock.now()), 'forgetting old telemetry', log),
      ];
      await transport.start(events);
      if (isShared) return;
      // A large platform answers meanwhile; its cells fill up within seconds.
      remembering = remember(cellSources).catch((error: unknown) =>
        log.warn({ err: error }, 'what was heard before the start is not in the cells'),
      );
    },
    async stop() {
      for (const timer of timers) clearInterval(timer);
      commands.stop();
      await transport.close();
      await fieldLimit.stop();
      await remembering;
      await rearranged.catch(() => {});
      await presence.stop();
      await usage.stop();
    },
  };
}
