const minHeight = 3; // keeps prices near zero visible

/** Percent of the height, from the bottom. */
type PriceBar = { bottom: number; height: number };

/** Returns the scale of the price bars; negative prices hang below the zero line. */
export function hourScale(prices: readonly number[]): { zero: number; barOf(price: number): PriceBar } {
  const low = Math.min(0, ...prices);
  const high = Math.max(...prices, low < 0 ? 0 : 0.01);
  const share = (price: number): number => (Math.abs(price) / (high - low)) * 100;
  const zero = share(low);
  return {
    zero,
    barOf(price) {
      const height = Math.max(minHeight, share(price));
      return price < 0 ? { bottom: Math.max(0, zero - height), height } : { bottom: zero, height };
    },
  };
}
