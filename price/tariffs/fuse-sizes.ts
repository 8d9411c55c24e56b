import type { Tariff } from './eltariff.ts';

const usualSizes = [16, 20, 25, 35, 50, 63, 80, 100, 125, 160, 200, 250, 315, 400, 500, 630, 800, 1000];

/** The main fuses, in ampere, that a tariff is for, by what its name or product says; none when it says nothing. */
export function fuseSizesOf({ name, product }: Pick<Tariff, 'name' | 'product'>): number[] {
  const found = sizesIn(name);
  return found.length > 0 ? found : sizesIn(product);
}

function sizesIn(text: string): number[] {
  const range = /(?<!\d)(\d{1,4})\s{0,3}[–-]\s{0,3}(\d{1,4})\s{0,3}A\b/i.exec(text);
  if (range) return between(Number(range[1]), Number(range[2]));
  const limit = /(max|högst|upp till|över|större än|>)\s{0,3}(\d{1,4})\s{0,3}A\b/i.exec(text);
  if (limit) {
    const size = Number(limit[2]);
    return /max|högst|upp/i.test(limit[1]!) ? between(0, size) : between(size + 1, Number.POSITIVE_INFINITY);
  }
  const single = /(?<!\d)(\d{1,4})\s{0,3}A\b/i.exec(text);
  return single ? between(Number(single[1]), Number(single[1])) : [];
}

const between = (least: number, most: number): number[] => usualSizes.filter((size) => least <= size && size <= most);

/** 16A, 16 A and 16 are one; undefined when it is no size at all. */
export function readFuseSize(text: string): number | undefined {
  const size = /^\s*(\d{1,4})\s*A?\s*$/i.exec(text)?.[1];
  return size === undefined ? undefined : Number(size);
}
