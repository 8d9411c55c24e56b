import { UsageError } from './command.ts';

type Bounds = { min?: number; max?: number; isWhole?: boolean };

/** Declares an option whose value is a number within these bounds, with a default that its help names. */
export const defaultedNumber = (value: string, help: string, fallback: number, bounds?: Bounds) => ({
  ...numberOption(value, `${help}. Default ${fallback}`, bounds),
  default: fallback,
});

/** Declares an option whose value is a number within these bounds. */
export const numberOption = (value: string, help: string, { min, max, isWhole }: Bounds = {}) => ({
  value,
  help,
  read(text: string, name: string): number {
    const number = /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
    const isInRange = number >= (min ?? Number.NEGATIVE_INFINITY) && number <= (max ?? Number.POSITIVE_INFINITY);
    if (isInRange && (!isWhole || Number.isInteger(number))) return number;
    const range = `${min === undefined ? '' : ` from ${min}`}${max === undefined ? '' : ` to ${max}`}`;
    throw new UsageError(`${name} must be a ${isWhole ? 'whole ' : ''}number${range}.`);
  },
});

/** Declares an option whose value is an energy such as 10kWh, in Wh. */
export const energyOption = (help: string) => ({
  value: 'ENERGY',
  help,
  read(text: string, name: string): number {
    const wh = /h$/i.test(text) ? parsePower(text.slice(0, -1)) : undefined;
    if (wh === undefined) throw new UsageError(`${name} must be an energy such as 10kWh.`);
    return wh;
  },
});

/** Parses `3kW`, `2000 W` or `0.5kw` to watts; returns undefined if invalid. */
export function parsePower(text: string): number | undefined {
  const { number, unit } = /^(?<number>\d+(\.\d+)?)\s*(?<unit>k?W)$/i.exec(text.trim())?.groups ?? {};
  if (!number || !unit) return undefined;
  return Number(number) * (unit.length === 2 ? 1000 : 1);
}

const secondsPerUnit: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** Parses `90s`, `10m`, `1h`, `7d` or `2w` to seconds; returns undefined if invalid. */
export function parseDuration(text: string): number | undefined {
  const { number, unit } = /^(?<number>\d+(\.\d+)?)\s*(?<unit>[smhdw])$/.exec(text.trim())?.groups ?? {};
  const seconds = secondsPerUnit[unit ?? ''];
  return number && seconds ? Number(number) * seconds : undefined;
}

/** Formats a number with at most this many decimals and without trailing zeros. */
export const formatNumber = (value: number, decimals = 3): string => String(Number(value.toFixed(decimals)) + 0);

/** Formats a power without its sign: `950 W`, `1.20 kW`. */
export function formatPower(watts: number): string {
  const size = Math.abs(watts);
  return size < 999.5 ? `${Math.round(size)} W` : `${(size / 1000).toFixed(2)} kW`;
}

export const formatEnergy = (wattHours: number): string => `${(wattHours / 1000).toFixed(1)} kWh`;

/** Formats a remaining time as `9:58` or `1:00:00`. */
export function formatCountdown(ms: number): string {
  const whole = Math.max(0, Math.ceil(ms / 1000));
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const shown = parts[0] ? parts : parts.slice(1);
  return shown.map((part, n) => (n === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
}

/** Formats an age in its largest unit: `4 s`, `12 min`, `3 h` or `2 d`. */
export function formatAge(ms: number): string {
  const whole = Math.max(0, Math.floor(ms / 1000));
  if (whole < 120) return `${whole} s`;
  if (whole < 7200) return `${Math.floor(whole / 60)} min`;
  return whole < 172_800 ? `${Math.floor(whole / 3600)} h` : `${Math.floor(whole / 86_400)} d`;
}
