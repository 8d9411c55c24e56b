import type { Control } from '../bank.ts';
import type { Chain } from './chain.ts';

type Ratings = { rated_W: number; battery_W: number };

const [chargeLimited, dischargeLimited] = [1, 2]; // bits of StorCtl_Mod

/**
 * Models 123 and 124. A limit below zero turns the direction round: less than no discharge is charging.
 * One dead-man time, the shorter, is for both.
 */
export function sunspecControl({ at }: Chain, { rated_W, battery_W }: Ratings): () => Control {
  const [limitPercent, limitRevertS, limitSwitch] = [at(123, 5), at(123, 7), at(123, 9)];
  const [storageMode, outRate, inRate, rateRevertS] = [at(124, 5), at(124, 12), at(124, 13), at(124, 15)];
  return () => (settings) => {
    const mode = settings.get(storageMode);
    const rate_W = (address: number): number => Math.round((settings.get(address) / 10_000) * battery_W);
    const max_W = mode & chargeLimited ? rate_W(inRate) : battery_W;
    const min_W = mode & dischargeLimited ? -rate_W(outRate) : -battery_W;
    const isLimited = settings.get(limitSwitch) === 1;
    const seconds = [...(mode ? [settings.get(rateRevertS)] : []), ...(isLimited ? [settings.get(limitRevertS)] : [])];
    const shortest = Math.min(...seconds.filter((value) => value > 0));
    return {
      battery: mode ? { min_W: Math.min(min_W, max_W), max_W } : undefined,
      pvLimit_W: isLimited ? (settings.get(limitPercent) / 100) * rated_W : undefined,
      ...(Number.isFinite(shortest) && {
        expires: { afterMs: shortest * 1000, resets: { [storageMode]: 0, [limitSwitch]: 0 } },
      }),
    };
  };
}
