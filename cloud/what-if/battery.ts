/** A battery that is replayed, without its reserve. Wh at its terminals, except for its level. */
export type Battery = {
  capacityWh: number;
  quarterWh: number;
  efficiency: number;
  /** wear of a discharged kWh as a share of the mean price */
  wearShare: number;
};

/** A home by the quarter of an hour, without its battery: Wh, and prices per Wh. */
export type ReplayedHome = {
  /** what the house takes from the grid; negative where the sun gives more than it uses */
  net: Float64Array;
  buy: Float64Array;
  sell: Float64Array;
  /** quarters in which prices are published, each with the quarter until which they are known then */
  published: ReadonlyMap<number, number>;
  battery: Battery;
};

/** self_consumption covers the house only; a number plans, and imports at most so many Wh in a quarter where that is possible. */
export type Policy = 'self_consumption' | number;

export type Stretch = { from: number; to: number; startWh: number };

export type BatteryRun = {
  /** what the grid delivers in each quarter; negative for export */
  grid: Float64Array;
  endWh: number;
};

/** Replays a stretch of time. A plan knows published prices, the present quarter, and the house on earlier days only. */
export function runBattery(home: ReplayedHome, { from, to, startWh }: Stretch, policy: Policy): BatteryRun {
  const { net, battery, published } = home;
  const grid = new Float64Array(to - from);
  let level = startWh;
  let plan: Plan | undefined;
  for (let t = from; t < to; t++) {
    if (policy !== 'self_consumption' && (!plan || published.has(t))) plan = planFrom(home, t, policy);
    const wh = plan ? plan.best(t, net[t]!, level).wh : possible(battery, level, net[t]!, -net[t]!);
    grid[t - from] = net[t]! + wh;
    level = levelAfter(battery, level, wh);
  }
  return { grid, endWh: level };
}

const levelAfter = ({ efficiency, capacityWh }: Battery, level: number, wh: number): number =>
  Math.min(capacityWh, Math.max(0, level + (wh > 0 ? wh * efficiency : wh / efficiency)));

/** Limits the energy of a quarter to what the battery can take or give. It does not sell to the grid. */
function possible({ capacityWh, quarterWh, efficiency }: Battery, level: number, net: number, wh: number): number {
  if (wh > 0) return Math.min(wh, quarterWh, (capacityWh - level) / efficiency);
  return -Math.min(-wh, quarterWh, level * efficiency, Math.max(0, net));
}

type Choice = { wh: number; cost: number };
type Plan = { best(t: number, net: number, level: number): Choice };

const levelCount = 31;
const overLimit = 30; // times the price of the energy: the limit comes first
const leastPrice = 0.001; // per Wh, for what exceeds the limit while energy costs nothing
const forecastDays = 7;
const quartersOfDay = 96;

/** Finds the cost from each quarter and level on, backwards from the last known price. */
function planFrom({ net, buy, sell, published, battery }: ReplayedHome, now: number, limitWh: number): Plan {
  let until = now + 1;
  for (const [at, known] of published) if (at <= now) until = Math.max(until, Math.min(known, net.length));
  const place = (levelCount - 1) / battery.capacityWh;
  const known = buy.subarray(now, until);
  const wear = Math.max(0, known.reduce((sum, price) => sum + price, 0) / known.length) * battery.wearShare;
  const costs: Float64Array[] = []; // by quarter from `now` on, at its end

  const costAfter = (t: number, level: number): number => {
    const costsOfLevel = costs[t - now]!;
    const below = Math.min(levelCount - 2, Math.floor(level * place));
    const share = level * place - below;
    return costsOfLevel[below]! * (1 - share) + costsOfLevel[below + 1]! * share;
  };

  /** Chooses one of the intents of a gateway: hold, cover the house, store the sun, keep to the limit, charge. */
  const best: Plan['best'] = (t, netWh, level) => {
    const chosen = { wh: 0, cost: Number.POSITIVE_INFINITY };
    const room = limitWh - netWh;
    for (const asked of [0, -netWh, room, battery.quarterWh, battery.quarterWh / 2]) {
      const wh = possible(battery, level, netWh, asked);
      const grid = netWh + wh;
      const over = Math.max(0, grid - limitWh) * overLimit * Math.max(leastPrice, buy[t]!);
      const energy = grid * (grid > 0 ? buy[t]! : sell[t]!);
      const cost = energy + over + Math.max(0, -wh) * wear + costAfter(t, levelAfter(battery, level, wh));
      if (cost >= chosen.cost - 1e-9) continue;
      chosen.wh = wh;
      chosen.cost = cost;
    }
    return chosen;
  };

  const levelOf = (n: number): number => n / place;
  const stored = lowPrice(known) * battery.efficiency;
  costs[until - 1 - now] = Float64Array.from({ length: levelCount }, (_, n) => -levelOf(n) * stored);
  for (let t = until - 1; t > now; t--) {
    const expected = forecast(net, now, t);
    costs[t - 1 - now] = Float64Array.from({ length: levelCount }, (_, n) => best(t, expected, levelOf(n)).cost);
  }
  return { best };
}

/** Returns what energy that is left at the end is worth: little, because the prices after it are unknown. */
function lowPrice(prices: Float64Array): number {
  return Math.max(0, prices.toSorted()[Math.floor(prices.length / 4)]!);
}

/** Returns the mean of the same quarter on the last days before `now`. */
function forecast(net: Float64Array, now: number, t: number): number {
  const first = Math.floor((t - now) / quartersOfDay) + 1;
  let sum = 0;
  let count = 0;
  for (let day = first; day < first + forecastDays && t - day * quartersOfDay >= 0; day++) {
    sum += net[t - day * quartersOfDay]!;
    count++;
  }
  return count > 0 ? sum / count : net[t]!;
}
