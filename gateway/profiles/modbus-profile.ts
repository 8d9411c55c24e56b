import type { DerKind, DerValues } from '#contract/gateway/reading.ts';
import type { ReadRegisters } from '../links/modbus/unit.ts';
import type { Confidence, ProfileInfo } from './profile.ts';

/** What a device turned out to be. Holds until the connection is lost. */
export type Recognised = {
  serial: string | undefined;
  make: string;
  model?: string;
  /** how sure this is: it said so itself; a serial number is in its place; its numbers are plausible */
  certainty?: Confidence;
  /** read once; absent where the device does not say */
  rated_power_W?: number;
  battery_rated_power_W?: number;
  capacity_Wh?: number;
  ders: readonly DerKind[];
  /** Reads the device and tells what it measures. */
  harvest(): Promise<DerValues>;
};

/** Where else such a device may be, and by which words it shows itself. */
export type Hints = {
  ports?: readonly number[];
  unit_ids?: readonly number[];
  /** in the vendor name of function code 43 */
  vendor?: RegExp;
  /** the manufacturer in the common model of SunSpec */
  sunspec?: RegExp;
};

export type ModbusProfile = ProfileInfo & {
  /** as such a device comes from its maker */
  defaults: { port: number; unit_id: number };
  /** pause after connecting that the device needs before the first request */
  connectDelayMs?: number;
  hints?: Hints;
  /** Looks at the device, once for each connection; throws NotThisDevice when it is another one. */
  recognise(read: ReadRegisters): Promise<Recognised>;
};
