import type { GatewayPlan } from '#contract/gateway-plan.ts';
import type { Readings, Wishes } from '../rule.ts';

/** Returns a generator of numbers from 0 to 1 that repeats itself for the same seed. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

type Appliance = { phase: number; W: number; until: number };

/** A device that takes on a setpoint some seconds after it was written. `shares` is how its power is divided among the phases. */
type Device = {
  W: number;
  wanted: number | undefined;
  pending: { at: number; W: number | undefined }[];
  shares: readonly number[];
};

const volts = 230;
const phases = [0, 1, 2];
const thirds = [1 / 3, 1 / 3, 1 / 3];

export type SimulatedHouse = ReturnType<typeof createSimulatedHouse>;

/** A house with kettles, an oven, a heat pump, sun with sudden clouds, a battery and a car, second by second. */
export function createSimulatedHouse(random: () => number) {
  const oneOf = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)]!;
  const fuse_A = oneOf([16, 20, 25]);
  const meterEveryS = oneOf([1, 1, 1, 2]); // a meter that sends more rarely shows an overload too late for any control
  const reportsPhases = random() < 0.8;
  const battery_W = oneOf([3680, 5000, 10_000]);
  const isThreePhaseBattery = battery_W > 3680;
  const car_W = oneOf([3680, 7360, 11_040]);
  const sun_W = oneOf([0, 3600, 9000]);
  const capacity_wh = oneOf([5000, 10_000, 15_000]);
  const single = (phase: number): number[] => phases.map((each) => Number(each === phase));
  const battery: Device = { W: 0, wanted: undefined, pending: [], shares: isThreePhaseBattery ? thirds : single(0) };
  const car: Device = {
    W: 0,
    wanted: undefined,
    pending: [],
    shares: car_W > 7400 ? thirds : single(Math.floor(random() * 3)),
  };
  const sunShares = sun_W > 3600 ? thirds : single(1);
  const peak_w = Math.round(0.55 * 3 * fuse_A * volts * (0.5 + 0.5 * random()));
  const storages: GatewayPlan['storages'] = [
    {
      id: 'battery',
      sn: 'BAT1',
      kind: 'battery',
      capacity_wh,
      min_wh: 0.1 * capacity_wh,
      max_wh: capacity_wh,
      charge_w: battery_W,
      discharge_w: battery_W,
      for_car: random() < 0.5,
    },
    {
      id: 'car',
      sn: 'CAR1',
      kind: 'car',
      capacity_wh: 60_000,
      min_wh: 0,
      max_wh: 48_000,
      charge_w: car_W,
      charge_min_w: car_W > 7400 ? 4140 : 1380,
      discharge_w: 0,
    },
  ];
  const load = [200, 200, 200];
  let appliances: Appliance[] = [];
  let battery_wh = capacity_wh * random();
  let car_wh = 20_000;
  let charged_Wh = 0;
  let sun = 0;
  let cloud = 1;
  let limit_W = Number.POSITIVE_INFINITY;
  let isCarHome = true;
  let meter: { at: number; W: number; phase_A: number[] } | undefined;
  let base = [150, 150, 150];

  const at = (phase: number): number =>
    load[phase]! - sun * sunShares[phase]! + battery.W * battery.shares[phase]! + car.W * car.shares[phase]!;
  const grid = (): number => at(0) + at(1) + at(2);

  /** Switches an appliance on, unless the house alone would exceed the fuse. */
  function start(appliance: Appliance): void {
    const used = phases.filter((phase) => appliance.phase < 0 || phase === appliance.phase);
    const each_W = appliance.W / used.length;
    if (used.every((phase) => load[phase]! + each_W < 0.95 * fuse_A * volts)) appliances.push(appliance);
  }

  function chooseLoads(second: number): void {
    const hour = Math.floor(second / 3600) % 24;
    const isAwake = hour >= 6 && hour < 23;
    if (second % 60 === 0) base = base.map((W) => Math.min(600, Math.max(60, W + 60 * (random() - 0.5))));
    if (isAwake && random() < 1 / 5000) start({ phase: 0, W: 2200, until: second + 150 + 100 * random() }); // kettle
    if (isAwake && random() < 1 / 9000) start({ phase: 2, W: 2000, until: second + 1800 }); // washing machine
    if (hour >= 16 && hour < 20 && second % 60 === 0 && random() < 0.3) {
      start({ phase: 1, W: 2500, until: second + 30 }); // oven, thermostat
    }
    if (second % 2400 === 0 && random() < 0.7) start({ phase: -1, W: 2400, until: second + 1200 }); // heat pump
    if (appliances.some(({ until }) => until <= second)) appliances = appliances.filter(({ until }) => until > second);
    for (const phase of phases) load[phase] = base[phase]!;
    for (const { phase, W } of appliances) {
      if (phase < 0) for (const each of phases) load[each]! += W / 3;
      else load[phase]! += W;
    }
    // An overload by the house alone is beyond the plan.
    for (const phase of phases) load[phase] = Math.min(load[phase]!, 0.97 * fuse_A * volts);
  }

  function chooseSun(second: number): void {
    const hour = (second / 3600) % 24;
    if (random() < 1 / 600) cloud = random() < 0.5 ? 0.15 + 0.2 * random() : 1;
    const height = Math.max(0, Math.sin(((hour - 7) / 10) * Math.PI));
    sun = Math.min(limit_W, hour > 7 && hour < 17 ? sun_W * height * cloud : 0);
  }

  function obey(second: number, device: Device): void {
    while (device.pending[0] && device.pending[0].at <= second) device.wanted = device.pending.shift()!.W;
  }

  return {
    fuse_A,
    peak_w,
    storages,
    phase_W: at,
    grid_W: grid,
    charged_Wh: () => charged_Wh,
    couldDischargeMore: (): boolean => battery_wh > 0.12 * capacity_wh && battery.W > -battery_W + 100,

    step(second: number): void {
      chooseLoads(second);
      chooseSun(second);
      const hour = Math.floor(second / 3600) % 24;
      if (isCarHome && hour === 8) car_wh = Math.max(5000, car_wh - 12_000 * Number(second % 3600 === 0));
      isCarHome = hour < 8 || hour >= 17;
      obey(second, battery);
      obey(second, car);
      const rest_W = grid() - battery.W;
      const ownWay_W = Math.max(-battery_W, Math.min(battery_W, -rest_W));
      const wanted_W = battery.wanted ?? ownWay_W;
      battery.W =
        battery_wh >= capacity_wh
          ? Math.min(0, wanted_W)
          : battery_wh <= 0.05 * capacity_wh
            ? Math.max(0, wanted_W)
            : wanted_W;
      car.W = isCarHome && car_wh < 60_000 ? (car.wanted ?? 0) : 0;
      battery_wh += (battery.W > 0 ? battery.W * 0.95 : battery.W) / 3600;
      car_wh += (car.W * 0.92) / 3600;
      charged_Wh += (Math.max(0, battery.W) + car.W) / 3600;
      if (second % meterEveryS === 0) {
        const noisy = (W: number): number => W * (1 + 0.01 * (random() - 0.5)) + 20 * (random() - 0.5);
        meter = { at: second, W: noisy(grid()), phase_A: phases.map((phase) => noisy(at(phase)) / volts) };
      }
    },

    /** Readings of the gateway: rounded levels, and the meter as rarely as it sends. */
    readings(now: number): Readings {
      const level = Math.round((100 * battery_wh) / capacity_wh) / 100;
      const phasesOf = (device: Device): number[] | undefined =>
        reportsPhases ? device.shares.map((share) => (share * device.W) / volts) : undefined;
      return {
        grid: meter && { at: now - ((now / 1000) % meterEveryS) * 1000, W: meter.W, phase_A: meter.phase_A },
        storages: new Map([
          ['battery', { W: battery.W, wh: level * capacity_wh, phase_A: phasesOf(battery) }],
          ['car', { W: car.W, wh: car_wh, phase_A: phasesOf(car) }],
        ]),
        cars_W: car.W,
        solar: sun_W > 0 ? new Map([['SUN1', sun]]) : new Map(),
      };
    },

    /** Writes the setpoints; each device obeys after 1 to 3 s. */
    command(second: number, { storages: setpoints, solar }: Wishes): void {
      for (const [device, id] of [
        [battery, 'battery'],
        [car, 'car'],
      ] as const) {
        const last = device.pending.at(-1);
        const known = last ? last.W : device.wanted;
        const W = setpoints.get(id);
        if (W !== known) device.pending.push({ at: Math.max(last?.at ?? 0, second + 1 + Math.floor(3 * random())), W });
      }
      limit_W = solar.get('SUN1') ?? Number.POSITIVE_INFINITY;
    },
  };
}
