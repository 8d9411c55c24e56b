import type { TObject } from 'typebox';
import { CloudConfig } from '#cloud/config.ts';
import { GatewayConfig } from '#gateway/config.ts';
import { fileVariable } from '#lib/config.ts';
import { PriceConfig } from '#price/config.ts';

/** The programs that are configured. Each has the section of its name in the configuration file. */
export const programs = {
  cloud: CloudConfig,
  gateway: GatewayConfig,
  price: PriceConfig,
} as const satisfies Record<string, TObject>;

export type Program = keyof typeof programs;

export const programNames = Object.keys(programs) as Program[];

/** A setting as the file spells it. */
export const keyOf = (variable: string): string => variable.toLowerCase();

/** The variables of a program: each setting, and the one that names a file with its value. */
export const variablesOf = (program: Program): string[] =>
  Object.keys(programs[program].properties).flatMap((name) => [name, fileVariable(name)]);

/** Which setting of a program a variable gives, if any. */
export function settingOf(program: Program, variable: string): string | undefined {
  return Object.keys(programs[program].properties).find((name) => name === variable || fileVariable(name) === variable);
}
