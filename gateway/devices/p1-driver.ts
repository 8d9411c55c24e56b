import type { Values } from '#contract/gateway/reading.ts';
import { isCounter } from '#contract/telemetry.ts';
import type { Clock } from '#lib/clock.ts';
import { within } from '#lib/within.ts';
import { LinkError } from '../links/link-error.ts';
import { type ByteLine, type LineSettings, openSerialLine } from '../links/serial-line.ts';
import { createP1Decoder, p1LineSettings } from '../p1/decoder.ts';
import type { P1Frame, P1Keys } from '../p1/frame.ts';
import { LineDiagnosis } from '../p1/line-diagnosis.ts';
import { type DeviceConnection, lineSettingsOf, type ParameterValue } from './connection.ts';
import type { Driver, DriverEvents } from './driver.ts';

export type P1DriverDeps = {
  clock: Clock;
  /** replaces the host name of a network adapter by its address */
  resolvePort(port: string): Promise<string>;
  /** the settings that worked the last time */
  known: LineSettings | undefined;
};

const firstFrameMs = 12_000; // the slowest meters send every 10 s
const silenceMs = 30_000;
const interByteMs = 500;

/** Start of a telegram by the time of day and by the monotonic clock. */
type Start = { at: number; instant: number };

/** Reads a smart meter at its customer port. */
export function createP1Driver(connection: DeviceConnection, { clock, resolvePort, known }: P1DriverDeps): Driver {
  const keys = keysOf(connection);
  let line: ByteLine | undefined;
  let lastFrame: { at: number; frame: P1Frame } | undefined;
  let heardAt = Number.NEGATIVE_INFINITY; // on the monotonic clock
  let totals: Values = {};
  let watch: NodeJS.Timeout | undefined;
  let isClosed = false;
  const start = (): Start => ({ at: clock.now(), instant: performance.now() });

  return {
    async open(events) {
      const port = await resolvePort(String(connection.serial_port));
      const candidates = candidatesOf(connection, port, known);
      const heard = new LineDiagnosis();
      let listenedMs = 0;
      for (const settings of candidates) {
        const frame = await listenFor(port, settings, heard, events);
        if (frame) {
          watchFor(events);
          const wasTried = candidates.length > 1 || known !== undefined;
          return { make: makeOf(frame, connection), ders: ['meter'], ...(wasTried && { line: settings }) };
        }
        await hangUp();
        listenedMs += firstFrameMs;
        if (isClosed || heard.hasTelegram) break;
      }
      throw new LinkError(heard.describe(port, listenedMs / 1000));
    },
    raw: () => lastFrame && { ts: lastFrame.at, device_id: lastFrame.frame.device_id, obis: lastFrame.frame.obis },
    async close() {
      isClosed = true;
      clearInterval(watch);
      await hangUp();
    },
  };

  /** Closes the line without reporting a loss. */
  async function hangUp(): Promise<void> {
    const ours = line;
    line = undefined;
    await ours?.close();
  }

  /** Returns the first valid frame with these settings; undefined after the timeout. */
  async function listenFor(
    port: string,
    settings: LineSettings,
    heard: LineDiagnosis,
    events: DriverEvents,
  ): Promise<P1Frame | undefined> {
    const first = Promise.withResolvers<P1Frame | undefined>();
    let started: Start | undefined;
    const decoder = createP1Decoder(
      keys,
      {
        onFrame(frame) {
          const begun = started ?? start();
          started = undefined;
          lastFrame = { at: clock.now(), frame };
          if (Object.keys(frame.meter).length === 0) return heard.onEmpty(); // an event, or a meter of gas or heat
          take(frame, begun, events);
          first.resolve(frame);
        },
        onFailed(frame) {
          heard.onFailed(frame);
          events.onFailedFrame(frame);
        },
      },
      clock,
    );
    const opened = await openSerialLine({ port, ...settings });
    if (isClosed) {
      await opened.close();
      return undefined;
    }
    line = opened;
    const quiet = setTimeout(() => {
      decoder.idle();
      started = undefined;
    }, interByteMs).unref();
    opened.onData((bytes) => {
      started ??= start();
      heard.onBytes();
      decoder.push(settings.dataBits === 7 ? bytes.map((byte) => byte & 0x7f) : bytes);
      quiet.refresh();
    });
    opened.onClose((error) => {
      clearTimeout(quiet);
      first.resolve(undefined);
      if (line === opened) events.onLost(new LinkError(`The line ${port} was closed.`, { cause: error }));
    });
    return within(firstFrameMs, first.promise);
  }

  function take(frame: P1Frame, { at, instant }: Start, events: DriverEvents): void {
    heardAt = performance.now();
    // Norwegian meters send their counters once an hour and the power every few seconds.
    totals = { ...totals, ...countersOf(frame.meter) };
    events.onHarvest({ at, tookMs: heardAt - instant, values: { meter: { ...totals, ...frame.meter } } });
  }

  function watchFor(events: DriverEvents): void {
    watch = setInterval(() => {
      if (performance.now() - heardAt > silenceMs) {
        events.onLost(new LinkError(`The meter has sent no values for ${silenceMs / 1000} s.`));
      }
    }, 1000).unref();
  }
}

const countersOf = (meter: Values): Values =>
  Object.fromEntries(Object.entries(meter).filter(([name]) => isCounter(name)));

const keyOf = (text: ParameterValue | undefined): Buffer | undefined =>
  text === undefined ? undefined : Buffer.from(String(text), 'hex');

const keysOf = ({ decryption_key, authentication_key }: DeviceConnection): P1Keys => ({
  decryptionKey: keyOf(decryption_key),
  authenticationKey: keyOf(authentication_key),
});

/** Returns the settings to try in order: the given ones; otherwise those that worked before; otherwise all usual ones. */
function candidatesOf(connection: DeviceConnection, port: string, known: LineSettings | undefined): LineSettings[] {
  if (connection.baud_rate !== undefined) return [lineSettingsOf(connection)];
  if (port.startsWith('tcp://')) return p1LineSettings.slice(0, 1); // the adapter has the settings
  const others = p1LineSettings.filter((settings) => JSON.stringify(settings) !== JSON.stringify(known));
  return known ? [known, ...others] : others;
}

/** Prefixes of meter and list names by manufacturer. */
const makers: readonly [RegExp, string][] = [
  [/^ADN|AIDON_/i, 'Aidon'],
  [/^KAM|Kamstrup_/i, 'Kamstrup'],
  [/^KFM|KFM_/i, 'Kaifa'],
  [/^ISK/i, 'Iskra'],
  [/^LG[FZ]/i, 'Landis+Gyr'],
  [/^SAG/i, 'Sagemcom'],
  [/^FLU/i, 'Fluvius'],
  [/^ESY/i, 'EasyMeter'],
  [/^ABB/i, 'ABB'],
];

/** Returns the manufacturer: as configured, otherwise from the meter's name or its first OBIS line. */
function makeOf({ device_id, obis: [first = ''] }: P1Frame, { manufacturer }: DeviceConnection): string {
  if (manufacturer) return String(manufacturer);
  return makers.find(([letters]) => letters.test(device_id) || letters.test(first))?.[1] ?? 'P1 meter';
}
