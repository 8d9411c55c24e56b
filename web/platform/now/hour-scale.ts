const least = 3; // what is nearly free can be seen too

/** In percent of the height, from below. */
type Bar = { bottom: number; height: number };

/** How the prices of hours are drawn: what is paid stands on the zero line, what is paid back hangs below it. */
export function hourScale(prices: readonly number[]): { zero: number; barOf(price: number): Bar } {
  const low = Math.min(0, ...prices);
  const high = Math.max(...prices, low < 0 ? 0 : 0.01);
  const share = (price: number): number => (Math.abs(price) / (high - low)) * 100;
  const zero = share(low);
  return {
    zero,
    barOf(price) {
      const height = Math.max(least, share(price));
      return price < 0 ? { bottom: Math.max(0, zero - height), height } : { bottom: zero, height };
    },
  };
}
