import { number } from '../parts/format.ts';

/** 1.3 MB: powers of a thousand, as disks are sold. */
export function bytes(count: number): string {
  if (count >= 1e9) return `${number(count / 1e9, 1)} GB`;
  if (count >= 1e6) return `${number(count / 1e6, 1)} MB`;
  if (count >= 1e3) return `${number(count / 1e3)} kB`;
  return `${number(count)} B`;
}
