import { CloudConfig } from '#cloud/config.ts';
import { keysOf, type TObject } from '#contract/schema.ts';
import { GatewayConfig } from '#gateway/config.ts';
import type { Setting } from '#lib/config/setting.ts';
import { fileVariable } from '#lib/config.ts';
import { PriceConfig } from '#price/config.ts';

/** The programs with settings. Each has a section of its name in the configuration file. */
export const programs = {
  cloud: CloudConfig,
  gateway: GatewayConfig,
  price: PriceConfig,
} as const satisfies Record<string, TObject>;

export type Program = keyof typeof programs;

export const programNames: readonly Program[] = keysOf(programs);

export const keyOf = (variable: string): string => variable.toLowerCase();

/** Lists the variables of a program: each setting, and its _FILE variant. */
export const variablesOf = (program: Program): string[] =>
  Object.keys(programs[program].properties).flatMap((name) => [name, fileVariable(name)]);

export function settingOf(program: Program, variable: string): string | undefined {
  return Object.keys(programs[program].properties).find((name) => name === variable || fileVariable(name) === variable);
}

export function describeSetting({ description = '', enum: words, note, secret }: Setting): string {
  const phrase = `${description.charAt(0).toUpperCase()}${description.slice(1)}`;
  return [`${phrase}.`, words && `One of ${words.map((word) => `\`${word}\``).join(', ')}.`, note, secret && 'Secret.']
    .filter(Boolean)
    .join(' ');
}

export const describeSettingPlainly = (setting: Setting): string => describeSetting(setting).replaceAll('`', '');
