import type { DerKind, DerValues } from '#contract/gateway/reading.ts';
import type { ModbusUnit } from '../links/modbus/unit.ts';
import type { LineSettings } from '../links/serial-line.ts';
import type { FailedFrame } from '../p1/frame.ts';

/** What a device says it can do. */
export type Rated = { rated_power_W?: number; battery_rated_power_W?: number; capacity_Wh?: number };

/** What a device turned out to be when it was connected. */
export type Found = Rated & {
  serial?: string;
  make: string;
  /** where it says so */
  model?: string;
  ders: readonly DerKind[];
  /** the settings of a serial line that were found by trying */
  line?: LineSettings;
};

/** One reading of a device: when it began, how long it took, what it told; its ratings where it tells them anew. */
export type Harvest = { at: number; tookMs: number; values: DerValues; rated?: Rated };

export type DriverEvents = {
  onHarvest(harvest: Harvest): void;
  /** the device is gone; nothing more comes from this driver */
  onLost(error: Error): void;
  onFailedFrame(frame: FailedFrame): void;
};

/** One connection to a device. It is opened once, and gone when it is lost or closed. */
export type Driver = {
  /** Connects, asks what the device is, and waits for a first reading. Readings come as events from here on. */
  open(events: DriverEvents): Promise<Found>;
  /** what the device said last, as it said it */
  raw(): Record<string, unknown> | undefined;
  /** of Modbus devices that are open */
  readonly unit?: ModbusUnit | undefined;
  close(): Promise<void>;
};

const mostHeld = 16;

/** Events that come before their device is known wait for it; of many the latest. */
export function bufferEvents(): { events: DriverEvents; passOn(to: DriverEvents): void } {
  const held: ((to: DriverEvents) => void)[] = [];
  let target: DriverEvents | undefined;
  const tell = (say: (to: DriverEvents) => void): void => {
    if (target) say(target);
    else if (held.push(say) > mostHeld) held.shift();
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
