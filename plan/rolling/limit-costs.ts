import type { NeedOfWindow, Shaver } from './outlook.ts';

/** A window of a day that is over, with the prices of its energy. */
export type PricedWindow = NeedOfWindow & { importPrice: number; exportPrice: number };

const levels = 13;
const overPrice = 10; // per kWh above the limit, which rounding to levels makes necessary

/** Returns what the energy of a day would have cost with its weighted import below a limit in kW, and storages half full before and after. */
export function costBelow(limitKw: number, windows: readonly PricedWindow[], h: number, shaver: Shaver): number {
  const { energyWh, chargeW, dischargeW, efficiency, wearPerKwh } = shaver;
  const stepWh = energyWh / (levels - 1);
  const meanPrice = windows.reduce((sum, { importPrice }) => sum + importPrice, 0) / windows.length;
  let after = Float64Array.from({ length: levels }, (_, i) => (-i * stepWh * meanPrice) / 1000);
  for (const { net_w, weight, importPrice, exportPrice } of windows.toReversed()) {
    const limit_w = weight === 0 ? Number.POSITIVE_INFINITY : (limitKw * 1000) / weight;
    const costOf = (power: number): number => {
      const grid = net_w + power;
      const energy = grid * (grid > 0 ? importPrice : Math.max(0, exportPrice));
      const wear = Math.max(0, -power) * wearPerKwh;
      return ((energy + wear + Math.max(0, grid - limit_w) * overPrice) * h) / 1000;
    };
    const most = Math.min(levels - 1, Math.floor((chargeW * h * efficiency) / stepWh + 1e-9));
    const least = Math.max(1 - levels, -Math.floor((dischargeW * h) / stepWh + 1e-9));
    // Changes by whole levels, and what covers the need or keeps the limit, which lies between.
    const changes = Array.from({ length: most - least + 1 }, (_, n) => (least + n) * stepWh);
    for (const power of [-net_w, limit_w - net_w])
      if (Number.isFinite(power)) {
        const within = Math.min(chargeW, Math.max(-dischargeW, power));
        changes.push(within > 0 ? within * h * efficiency : within * h);
      }
    const choices = changes.map((change) => [
      change / stepWh,
      costOf(change > 0 ? change / efficiency / h : change / h),
    ]) as [number, number][];
    const before = new Float64Array(levels).fill(Number.POSITIVE_INFINITY);
    for (let i = 0; i < levels; i++)
      for (const [change, cost] of choices) {
        const at = i + change;
        if (at < 0 || at > levels - 1) continue;
        const low = Math.min(levels - 2, Math.floor(at));
        const value = cost + after[low]! + (at - low) * (after[low + 1]! - after[low]!);
        if (value < before[i]!) before[i] = value;
      }
    after = before;
  }
  return after[(levels - 1) / 2]!;
}
