import type { BatteryCommand } from '../house/commands.ts';
import type { HouseState } from '../house/state.ts';
import type { Kind } from './words.ts';

/** What one kind of device serves, in its own units and signs. */
export type Bank = {
  /** what the gateway calls it */
  profile: string;
  title: string;
  unit: number;
  /** vendor, product and version for function 43/14; devices without it do not know the function */
  identification?: readonly [vendor: string, product: string, version: string];
  /** functions 4 and 3; a device with `isMirrored` answers both from `holding` */
  input?: Table;
  holding?: Table;
  isMirrored?: boolean;
  /** holding registers that can be written */
  settings?: readonly Setting[];
  control?: () => Control;
  longestRead?: number;
  /** a dongle that does not listen right after the connection */
  deafAfterConnectMs?: number;
};

export type Table = {
  rows: readonly Row[];
  /** stretches that answer as a whole: what no row fills reads `fill` */
  areas?: readonly (readonly [from: number, count: number])[];
  fill?: number;
};

type Value = number | undefined | ((house: HouseState) => number | undefined);

/** A register, or several: where, how wide, what, and how much one count is. */
export type Row =
  | readonly [address: number, kind: Kind, value: Value, step?: number]
  | readonly [address: number, words: number, text: string];

export type Setting = readonly [address: number, kind: Kind, initial: number];

/** What the settings make the device do; called after every write, with the address that was written. */
export type Control = (settings: Settings, written: number, house: HouseState) => Command;

export type Settings = { get(address: number): number; set(address: number, value: number): void };

export type Command = {
  battery?: BatteryCommand | undefined;
  pvLimit_W?: number | undefined;
  exportLimit_W?: number | undefined;
  /** the device goes back by itself this long after the last write, and then reads so */
  expires?: { afterMs: number; resets: Readonly<Record<number, number>> };
};
