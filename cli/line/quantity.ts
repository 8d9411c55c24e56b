/** `3kW`, `2000 W` or `0.5kw` in watt; undefined when it is no power. */
export function parsePower(text: string): number | undefined {
  const { number, unit } = /^(?<number>\d+(\.\d+)?)\s*(?<unit>k?W)$/i.exec(text.trim())?.groups ?? {};
  if (!number || !unit) return undefined;
  return Number(number) * (unit.length === 2 ? 1000 : 1);
}

const seconds: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** `90s`, `10m`, `1h`, `7d` or `2w` in seconds; undefined when it is no time. */
export function parseDuration(text: string): number | undefined {
  const { number, unit } = /^(?<number>\d+(\.\d+)?)\s*(?<unit>[smhdw])$/.exec(text.trim())?.groups ?? {};
  return number && unit ? Number(number) * seconds[unit]! : undefined;
}

/** A number without digits that nobody measures: 0.1 + 0.2 is 0.3. */
export const showNumber = (value: number, decimals = 3): string => String(Number(value.toFixed(decimals)) + 0);

/** How much, without its direction. */
export function showPower(watts: number): string {
  const size = Math.abs(watts);
  return size < 999.5 ? `${Math.round(size)} W` : `${(size / 1000).toFixed(2)} kW`;
}

export const showEnergy = (wattHours: number): string => `${(wattHours / 1000).toFixed(1)} kWh`;

/** `9:58`, or `1:00:00`. */
export function showCountdown(ms: number): string {
  const whole = Math.max(0, Math.ceil(ms / 1000));
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const shown = parts[0] ? parts : parts.slice(1);
  return shown.map((part, n) => (n === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
}

/** `4 s`, `12 min`, `3 h` or `2 d`: the largest unit that fits. */
export function showAge(ms: number): string {
  const whole = Math.max(0, Math.floor(ms / 1000));
  if (whole < 120) return `${whole} s`;
  if (whole < 7200) return `${Math.floor(whole / 60)} min`;
  return whole < 172_800 ? `${Math.floor(whole / 3600)} h` : `${Math.floor(whole / 86_400)} d`;
}
