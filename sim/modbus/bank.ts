import type { BatteryCommand } from '../house/commands.ts';
import { type Counters, counterNames, type HouseState, type Phase } from '../house/state.ts';
import { type Kind, lengthOf } from './words.ts';

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
  /** readable ranges, as counts by first address; registers without a row read `fill` */
  areas?: Readonly<Record<number, number>>;
  fill?: number;
};

export const table = (areas: NonNullable<Table['areas']>, rows: readonly Row[]): Table => ({ areas, rows });

type Value = number | undefined | ((house: HouseState) => number | undefined);

/** One or more registers: address, type, value, and unit of one count. */
export type Row =
  | readonly [address: number, kind: Kind, value: Value, step?: number]
  | readonly [address: number, words: number, text: string];

type PhaseValue = keyof Phase | ((phase: Phase, house: HouseState) => number);

const rowsOf =
  (parts: readonly ((house: HouseState) => Phase)[]) =>
  (first: number, kind: Kind, value: PhaseValue, step = 1, stride = lengthOf(kind)): Row[] =>
    parts.map((part, index) => {
      const read = (h: HouseState): number => (typeof value === 'string' ? part(h)[value] : value(part(h), h));
      return [first + stride * index, kind, read, step];
    });

/** Returns the rows of L1, L2 and L3, in adjacent registers unless a stride is given. */
export const phases = rowsOf([(h) => h.phases[0], (h) => h.phases[1], (h) => h.phases[2]]);

export const strings = rowsOf([(h) => h.strings[0], (h) => h.strings[1]]);

/** Returns the rows of energy counters by their addresses. */
export const counters = (kind: Kind, step: number, addresses: Partial<Counters>): Row[] =>
  counterNames.flatMap((name) => {
    const address = addresses[name];
    return address === undefined ? [] : [[address, kind, (h) => h.Wh[name], step]];
  });

export type Setting = readonly [address: number, kind: Kind, initial: number];

/** Returns settings, or rows with constant values, of one type from their values by address. */
export const registers = (kind: Kind, values: Readonly<Record<number, number>>): Setting[] =>
  Object.entries(values).map(([address, value]) => [Number(address), kind, value]);

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
