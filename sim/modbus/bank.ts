import type { BatteryCommand } from '../house/commands.ts';
import type { HouseState } from '../house/state.ts';
import type { Kind } from './words.ts';

/** The registers of one type of device, in its own units and signs. */
export type Bank = {
  /** profile id in the gateway */
  profile: string;
  title: string;
  unit: number;
  /** vendor, product and version for function 43/14; without it the function is refused */
  identification?: readonly [vendor: string, product: string, version: string];
  /** functions 4 and 3; a device with `isMirrored` answers both from `holding` */
  input?: Table;
  holding?: Table;
  isMirrored?: boolean;
  /** holding registers that can be written */
  settings?: readonly Setting[];
  control?: () => Control;
  maxReadCount?: number;
  /** time after connecting in which requests are ignored */
  deafAfterConnectMs?: number;
};

export type Table = {
  rows: readonly Row[];
  /** ranges that can be read as a whole; registers without a row read `fill` */
  areas?: readonly (readonly [from: number, count: number])[];
  fill?: number;
};

type Value = number | undefined | ((house: HouseState) => number | undefined);

/** One or more registers: address, type, value, and unit of one count. */
export type Row =
  | readonly [address: number, kind: Kind, value: Value, step?: number]
  | readonly [address: number, words: number, text: string];

export type Setting = readonly [address: number, kind: Kind, initial: number];

/** Derives the command from the settings; called after every write, with the written address. */
export type Control = (settings: Settings, written: number, house: HouseState) => Command;

export type Settings = { get(address: number): number; set(address: number, value: number): void };

export type Command = {
  battery?: BatteryCommand | undefined;
  pvLimit_W?: number | undefined;
  exportLimit_W?: number | undefined;
  /** after this time without a write, the device reverts and resets these settings */
  expires?: { afterMs: number; resets: Readonly<Record<number, number>> };
};
