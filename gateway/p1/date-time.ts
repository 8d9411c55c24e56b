const unknownDeviation = -0x8000;
const given = (byte: number, most: number): boolean => byte <= most;

/** Year (2), month, day, weekday, hour, minute, second, hundredths, deviation (2), status; undefined when it is none. */
export function readDateTime(bytes: Uint8Array): string | undefined {
  if (bytes.length !== 12) return undefined;
  const year = (bytes[0]! << 8) | bytes[1]!;
  const [month, day, hour, minute, second] = [bytes[2]!, bytes[3]!, bytes[5]!, bytes[6]!, bytes[7]!];
  if (year < 1990 || year > 2200 || month < 1 || day < 1) return undefined;
  if (!given(month, 12) || !given(day, 31) || !given(hour, 23) || !given(minute, 59) || !given(second, 60))
    return undefined;
  const deviation = ((bytes[9]! << 24) >> 16) | bytes[10]!;
  return `${year}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:${two(second)}${offsetOf(deviation)}`;
}

/** The deviation is what local time needs to become UTC: -60 is UTC+1. */
function offsetOf(deviation: number): string {
  if (deviation === unknownDeviation || Math.abs(deviation) > 720) return '';
  const minutes = Math.abs(deviation);
  return `${deviation > 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

const two = (number: number): string => String(number).padStart(2, '0');
