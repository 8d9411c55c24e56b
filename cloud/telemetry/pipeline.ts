import { formatTime, hourMs } from '#contract/time.ts';
import { parseGatewayTopic } from '#contract/topics.ts';
import { createSchedule } from '#lib/every.ts';
import { formatEvent } from '#lib/http/sse.ts';
import type { Registry } from '#lib/metrics/registry.ts';
import type { Message, Transport, TransportEvents } from '../broker/transport.ts';
import { createCommandTracking } from '../commands/tracking.ts';
import { Ledger } from '../energy/ledger.ts';
import { passOnAnswer } from '../gateways/management.ts';
import { createCellSums } from '../public/cell-sums.ts';
import type { CommonDeps } from '../store/store.ts';
import { isUnstorable, type TelemetryStore } from '../store/telemetry/telemetry-store.ts';
import { listCellTelemetryRoutes } from '../store/telemetry-registry.ts';
import { createIngestCounts } from './counts.ts';
import { eraseDeleted, eraseEveryMs } from './erasure.ts';
import { createFieldLimit } from './field-limit.ts';
import { createIngest } from './ingest.ts';
import { createLatest, createLive } from './live.ts';
import { createPresence } from './presence.ts';
import { createRouting } from './routing.ts';
import { createTelemetryUsage } from './usage.ts';

export type PipelineDeps = CommonDeps & {
  telemetry: TelemetryStore;
  transport: Transport;
  /** minimum number of sites of a public sum */
  minSites: number;
  /** maximum number of distinct field names of a DER */
  maxFieldsPerDer: number;
  /** maximum bytes of readings of one organization */
  maxBytesPerDay: number;
  registry: Registry;
};

export type Pipeline = ReturnType<typeof createPipeline>;

const sealMs = 60_000;
const forgetMs = hourMs;
const nothingWritten = Promise.resolve(false);

type StateListener = (serial: string, payload: Uint8Array) => void;

export const logChannel = (serial: string): string => `gateway-log/${serial}`;

/** Connects everything that handles the messages from and to gateways. */
export function createPipeline(deps: PipelineDeps) {
  const { store, telemetry, transport, minSites, clock, log } = deps;
  const isShared = transport.shared !== undefined; // then no process has seen everything
  const live = createLive(transport);
  const latest = createLatest(telemetry, { isShared });
  const routing = createRouting(store, clock);
  const listRoutes = (cell: string) => listCellTelemetryRoutes(store.db, cell);
  const cells = createCellSums({ listRoutes, latest, minSites, isShared });
  const counts = createIngestCounts(deps.registry);
  const commands = createCommandTracking({ store, transport, live, clock, log });
  const stateListeners: StateListener[] = [];
  const presence = createPresence({ store, live, clock, log });
  const usage = createTelemetryUsage(deps);
  const fieldLimit = createFieldLimit({ ...deps, isShared });
  const isSplit = transport.shared?.admitted !== undefined; // RabbitMQ spreads the messages of a gateway over the processes
  const ledger = new Ledger({ store, telemetry, clock, log, isShared, isSplit });
  const ingest = createIngest({
    telemetry,
    ledger,
    routing,
    latest,
    live,
    transport,
    counts,
    fieldLimit,
    clock,
    log,
    isPoison: isUnstorable,
    activate: presence.activate,
    usage,
    onReading: ({ route }) => presence.heard(route),
  });

  /** Samples of one batch share one promise. */
  function message({ topic, payload }: Message): Promise<boolean> {
    const parsed = parseGatewayTopic(topic);
    if (parsed?.kind === 'telemetry') return ingest.telemetry(parsed, payload);
    if (parsed?.kind === 'command-ack') return commands.acknowledged(parsed.serial, payload);
    if (parsed?.kind === 'state') {
      presence.state(parsed.serial, payload);
      for (const listener of stateListeners) listener(parsed.serial, payload);
    }
    if (parsed?.kind === 'logs') followLog(parsed.serial, payload);
    if (parsed?.kind === 'manage-answer') passOnAnswer(live, parsed.serial, payload);
    return nothingWritten;
  }

  function followLog(serial: string, payload: Uint8Array): void {
    const channel = logChannel(serial);
    if (live.hasListeners(channel)) live.emit(channel, formatEvent(Buffer.from(payload).toString()));
  }

  /** Seals what is due, and reports the hours that were set aside. */
  async function seal(): Promise<void> {
    const { setAside } = await telemetry.seal(clock.now());
    const byHour = Map.groupBy(setAside, ({ der, hour }) => `${der} ${hour}`);
    for (const [key, parts] of byHour) {
      const [der_no = 0, hour = 0] = key.split(' ').map(Number);
      const readings = parts.reduce((sum, part) => sum + part.readings, 0);
      counts.totals.setAside += readings;
      const message = 'set aside the readings of an hour: too many fields to seal, no rollups';
      log.warn({ der_no, hour: formatTime(hour), readings }, message);
    }
  }

  function connection(serial: string, isConnected: boolean): void {
    if (isConnected) ledger.connected(serial);
    presence.connection(serial, isConnected);
  }

  const events: TransportEvents = { message, presence: connection };
  const schedule = createSchedule(
    log,
    [sealMs, seal, 'sealing telemetry'],
    [eraseEveryMs, () => eraseDeleted({ store, telemetry, latest }, clock.now()), 'erasing telemetry'],
    [forgetMs, () => telemetry.forget(clock.now()), 'forgetting old telemetry'],
  );

  return {
    live,
    latest,
    commands,
    counts,
    usage,
    ledger,
    cellSums: cells.sums,
    /** Adds a listener to the state messages of gateways. */
    onState: (listener: StateListener): void => void stateListeners.push(listener),
    /** Clears what is cached of a gateway whose registry entries changed, or of all gateways. */
    async forget(serial?: string): Promise<void> {
      routing.forget(serial);
      cells.forget();
    },
    async start(): Promise<void> {
      await usage.start();
      await fieldLimit.start();
      presence.start();
      ledger.start();
      commands.start();
      schedule.start();
      await transport.start(events);
    },
    async stop(): Promise<void> {
      schedule.stop();
      commands.stop();
      await transport.close();
      await ledger.stop();
      await fieldLimit.stop();
      await presence.stop();
      await usage.stop();
    },
  };
}
