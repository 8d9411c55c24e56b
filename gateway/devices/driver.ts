import type { DerKind, DerValues } from '#contract/gateway/reading.ts';
import type { ModbusUnit } from '../links/modbus/unit.ts';
import type { LineSettings } from '../links/serial-line.ts';
import type { FailedFrame } from '../p1/frame.ts';
import type { Rated } from '../profiles/profile.ts';

/** The identity and abilities of a device, found when it was connected. */
export type Found = Rated & {
  serial?: string;
  make: string;
  model?: string;
  ders: readonly DerKind[];
  /** the settings of a serial line that were found by trying */
  line?: LineSettings;
};

/** One reading of a device: start time, duration, values, and ratings where they changed. */
export type Harvest = { at: number; tookMs: number; values: DerValues; rated?: Rated };

export type DriverEvents = {
  onHarvest(harvest: Harvest): void;
  /** the device is lost; this driver sends no more events */
  onLost(error: Error): void;
  onFailedFrame(frame: FailedFrame): void;
};

/** One connection to a device. It is opened once and ends when it is lost or closed. */
export type Driver = {
  /** Connects, identifies the device and waits for a first reading. Further readings are events. */
  open(events: DriverEvents): Promise<Found>;
  raw(): Record<string, unknown> | undefined;
  /** of Modbus devices that are open */
  readonly unit?: ModbusUnit | undefined;
  close(): Promise<void>;
};

const maxBuffered = 16;

/** Buffers the latest events until the device that receives them exists. */
export function bufferEvents(): { events: DriverEvents; passOn(to: DriverEvents): void } {
  const held: ((to: DriverEvents) => void)[] = [];
  let target: DriverEvents | undefined;
  const tell = (say: (to: DriverEvents) => void): void => {
    if (target) say(target);
    else if (held.push(say) > maxBuffered) held.shift();
  };
  return {
    events: {
      onHarvest: (harvest) => tell((to) => to.onHarvest(harvest)),
      onFailedFrame: (frame) => tell((to) => to.onFailedFrame(frame)),
      onLost: (error) => tell((to) => to.onLost(error)),
    },
    passOn(to) {
      target = to;
      for (const say of held) say(to);
    },
  };
}
