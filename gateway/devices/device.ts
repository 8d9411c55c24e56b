import type { DebugData, Snapshot } from '#contract/gateway/data.ts';
import type { ControlTrust, DerEntry, DeviceEntry } from '#contract/gateway/devices.ts';
import type { Form } from '#contract/gateway/form.ts';
import { type DerKind, type DerReading, derKinds } from '#contract/gateway/reading.ts';
import type { Clock } from '#lib/clock.ts';
import { asError } from '#lib/error-code.ts';
import type { Logger } from '#lib/log.ts';
import type { ModbusUnit } from '../links/modbus/unit.ts';
import type { LineSettings } from '../links/serial-line.ts';
import { type FailedFrame, p1Formats } from '../p1/frame.ts';
import { findControl } from '../profiles/control/index.ts';
import type { ProfileInfo } from '../profiles/profile.ts';
import { withoutSecrets } from './connection.ts';
import { shownDers, withNewKinds } from './der-entries.ts';
import { type KeptDevice, shownPath } from './device-files.ts';
import { bufferEvents, type Driver, type DriverEvents, type Found, type Harvest } from './driver.ts';

export type DeviceDeps = {
  profile: ProfileInfo;
  openDriver(): Driver;
  save(device: KeptDevice): Promise<void>;
  onReading(device: Device, reading: DerReading): void;
  /** called when the device is connected or lost */
  onState(): void;
  clock: Clock;
  log: Logger;
};

const retryMs = 10_000;
const shownFrameBytes = 256;
const loggedFrameBytes = 64;

/** A device of this gateway, with its latest readings. Reconnects every 10 s when it is lost. */
export class Device {
  readonly profile: ProfileInfo;
  kept: KeptDevice;
  readonly #deps: DeviceDeps;
  #driver: Driver | undefined;
  #opening: Driver | undefined;
  #found: Found | undefined;
  readonly #readings = new Map<DerKind, DerReading>();
  readonly #heardAt = new Map<DerKind, number>();
  /** of the connection that was lost last */
  #lastRaw: Record<string, unknown> | undefined;
  #lastFailed: (FailedFrame & { at: number }) | undefined;
  #error: string | undefined;
  #retry: NodeJS.Timeout | undefined;
  #isClosed = false;
  #keeping = Promise.resolve();

  constructor(kept: KeptDevice, deps: DeviceDeps) {
    this.kept = kept;
    this.#deps = deps;
    this.profile = deps.profile;
    this.#found = kept.found;
  }

  get sn(): string {
    return this.kept.sn;
  }

  get isConnected(): boolean {
    return this.#driver !== undefined;
  }

  /** Defined for connected Modbus devices. */
  get unit(): ModbusUnit | undefined {
    return this.#driver?.unit;
  }

  /** Returns the time since the last reading of one of these kinds, by the monotonic clock. */
  silentMs(kinds: readonly DerKind[] = derKinds): number {
    const heardAt = kinds.map((kind) => this.#heardAt.get(kind) ?? Number.NEGATIVE_INFINITY);
    return performance.now() - Math.max(...heardAt);
  }

  get ders(): DerEntry[] {
    return shownDers(this.kept.ders, this.#found);
  }

  /** Takes over an open connection. */
  adopt(driver: Driver, found: Found): void {
    this.#driver = driver;
    this.#error = undefined;
    this.#learn({ ...this.#found, ...found });
    this.#deps.onState();
  }

  /** Connects in the background and retries until it is closed. */
  connect(): void {
    void this.#tryToConnect();
  }

  async #tryToConnect(): Promise<void> {
    const driver = this.#deps.openDriver();
    const events = this.eventsOf(driver);
    const early = bufferEvents(); // the device is identified only once it is open
    this.#opening = driver;
    try {
      const found = await driver.open({ ...events, onHarvest: early.events.onHarvest });
      const expected = this.kept.found?.serial;
      if (expected !== undefined && found.serial !== undefined && found.serial !== expected) {
        throw new Error(`Another device answers here: ${found.serial} in place of ${expected}.`);
      }
      if (this.#isClosed) return await driver.close(); // it may have opened after `close`
      this.adopt(driver, found);
      early.passOn(events);
      this.#deps.log.info({ sn: this.sn, profile: this.profile.profile }, 'device connected');
    } catch (error) {
      await driver.close();
      this.#lose(asError(error));
    } finally {
      this.#opening = undefined;
    }
  }

  /** Returns the event handlers for a driver; they ignore events once it is replaced. */
  eventsOf(driver: Driver): DriverEvents {
    return {
      onHarvest: (harvest) => {
        if (this.#driver === driver) this.#take(harvest);
      },
      onLost: (error) => {
        if (this.#driver !== driver) return;
        this.#driver = undefined;
        this.#lastRaw = driver.raw();
        void driver.close();
        this.#lose(error);
      },
      onFailedFrame: (frame) => {
        if (this.#driver !== driver && this.#opening !== driver) return;
        this.#lastFailed = { ...frame, at: this.#deps.clock.now() };
        const { format, reason, bytes } = frame;
        const hex = Buffer.from(bytes.subarray(0, loggedFrameBytes)).toString('hex');
        this.#deps.log.warn({ sn: this.sn, format, reason, size: bytes.length, hex }, 'frame failed');
      },
    };
  }

  #lose(error: Error): void {
    if (this.#isClosed) return;
    // A failure that repeats is logged when it begins.
    if (this.#error !== error.message)
      this.#deps.log.warn({ sn: this.sn, reason: error.message }, 'device not connected');
    this.#error = error.message;
    this.#deps.onState();
    this.#retry = setTimeout(() => this.connect(), retryMs).unref();
  }

  #learn(found: Found): void {
    this.#found = found;
    this.#keepInBackground((kept) => ({ ...kept, found, ders: withNewKinds(kept.ders, found.ders) }));
  }

  #take({ at, tookMs, values, rated }: Harvest): void {
    if (rated && this.#found) this.#learn({ ...this.#found, ...rated }); // keeps properties that are missing this time
    const seen = derKinds.filter((kind) => values[kind] !== undefined);
    if (seen.some((kind) => !this.kept.ders.some(({ type }) => type === kind))) {
      this.#keepInBackground((kept) => ({ ...kept, ders: withNewKinds(kept.ders, seen) }));
    }
    for (const type of seen) {
      const reading = { type, timestamp: at, read_time_ms: Math.round(tookMs), make: this.make, ...values[type] };
      this.#readings.set(type, reading);
      this.#heardAt.set(type, performance.now());
      if (this.kept.ders.some((der) => der.type === type && der.enabled)) this.#deps.onReading(this, reading);
    }
  }

  get make(): string {
    return this.#found?.make ?? this.profile.make;
  }

  get model(): string {
    return this.#found?.model ?? this.profile.display_name;
  }

  /** Stores changed DERs; when that fails, nothing changes. */
  changeDers(change: (ders: readonly DerEntry[]) => DerEntry[]): Promise<void> {
    return this.#keep((kept) => ({ ...kept, ders: change(kept.ders) }));
  }

  #keepInBackground(change: (kept: KeptDevice) => KeptDevice): void {
    this.#keep(change).catch((error: unknown) => {
      this.kept = change(this.kept); // still used in memory: the device reports it again after a restart
      this.#deps.log.error({ err: error, sn: this.sn }, 'failed to store the reported properties of the device');
    });
  }

  /** Records that a person has checked that the device obeys; returns the time of the first confirmation. */
  async confirmControl(now: number): Promise<number> {
    await this.#keep((kept) => ({ ...kept, control_confirmed_at: kept.control_confirmed_at ?? now }));
    return this.kept.control_confirmed_at ?? now;
  }

  /** How far control of this device is trusted; undefined when it cannot be controlled. */
  get controlTrust(): ControlTrust | undefined {
    const control = findControl(this.profile.profile);
    if (!control) return undefined;
    if (control.confidence === 'high') return 'proven';
    return this.kept.control_confirmed_at === undefined ? 'unconfirmed' : 'confirmed';
  }

  /** Applies changes one after the other, each to the result of the one before. */
  #keep(change: (kept: KeptDevice) => KeptDevice): Promise<void> {
    const before = this.#keeping;
    const keeping = (async () => {
      await before;
      const kept = change(this.kept);
      // A late write would bring a removed device back.
      if (this.#isClosed || JSON.stringify(kept) === JSON.stringify(this.kept)) return;
      await this.#deps.save(kept);
      this.kept = kept;
    })();
    this.#keeping = keeping.catch(() => {}); // the caller gets the error
    return keeping;
  }

  entry(): DeviceEntry {
    const lastHarvest = Math.max(...[...this.#readings.values()].map(({ timestamp }) => timestamp));
    return {
      type: this.kept.connection.type,
      profile: this.profile.profile,
      device_type: this.profile.device_type,
      sn: this.sn,
      ...withoutSecrets(this.kept.connection),
      ...(this.#found?.line && foundLine(this.#found.line)),
      connected: this.isConnected,
      ...(Number.isFinite(lastHarvest) && { last_harvest: lastHarvest }),
      path: shownPath(this.sn),
      ders: this.ders,
      ...(this.controlTrust && { control: this.controlTrust }),
      ...(!this.isConnected && this.#error && { error: this.#error }),
    };
  }

  /** Returns the state that is published to the platform. */
  state(): { sn: string; connected: boolean; ders: string[]; error?: string } {
    const { sn, isConnected: connected } = this;
    const error = this.#error;
    return { sn, connected, ders: this.kept.ders.map(({ type }) => type), ...(!connected && error && { error }) };
  }

  snapshot(form: Form): Snapshot | undefined {
    if (this.#readings.size === 0) return undefined;
    return {
      ...Object.fromEntries(this.#readings),
      version: 'v1',
      format: form === 'later' ? 'json' : this.profile.profile,
    };
  }

  raw(): Record<string, unknown> | undefined {
    return this.#driver ? this.#driver.raw() : this.#lastRaw;
  }

  debug(): DebugData {
    if (this.kept.connection.type !== 'p1_uart') return { sn: this.sn, message: 'Only P1 meters have debug data.' };
    const head = { device_type: 'p1_meter', sn: this.sn };
    if (!this.#lastFailed) return { ...head, last_failed_hex: '', message: 'No frame has failed.' };
    const { at, format, bytes } = this.#lastFailed;
    const shown = Buffer.from(bytes.subarray(0, shownFrameBytes));
    return {
      ...head,
      last_failed_ts: at,
      last_failed_type: p1Formats.indexOf(format),
      last_failed_size: bytes.length,
      last_failed_hex: shown.toString('hex'),
      last_failed_ascii: shown.toString('latin1').replace(/[^\x20-\x7e]/g, '.'),
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    const [driver, opening] = [this.#driver, this.#opening];
    this.#driver = undefined;
    await Promise.allSettled([driver?.close(), opening?.close(), this.#keeping]);
  }
}

const foundLine = ({ baudRate, dataBits, parity, stopBits }: LineSettings) => ({
  baud_rate: baudRate,
  data_bits: dataBits,
  parity,
  stop_bits: stopBits === 1.5 ? '1.5' : stopBits,
});
