import { Problem } from '#contract/problem.ts';
import type { FaultKind, Simulation } from '#contract/simulation.ts';
import { formatTime } from '#contract/time.ts';
import type { Clock } from '#lib/clock.ts';
import type { StreetDevice } from '#sim/endpoints.ts';
import { type Conditions, defaultConditions, round } from '#sim/house/state.ts';
import type { AdjustableHouse } from '#sim/house.ts';
import { connectionOf } from './demo/home.ts';
import { demoDevices, getPlayer, modelOf, type Players } from './demo/house.ts';
import type { DemoIdentity } from './demo/owner.ts';

export type Stage = {
  owner: Pick<DemoIdentity, 'anotherToken'>;
  home: AdjustableHouse;
  street: readonly AdjustableHouse[];
  players: Players;
};

export type Playground = ReturnType<typeof createPlayground>;

/** Lets people change the simulation. A restart undoes all changes. */
export function createPlayground(clock: Clock) {
  let opened: Stage | undefined;

  function stage(): Stage {
    if (opened) return opened;
    throw new Problem('unavailable', 'The simulation is starting; try again shortly.', { retryAfterSeconds: 2 });
  }

  function shown(): Simulation {
    const { home, street, players } = stage();
    const now = clock.now();
    return {
      simulated: true,
      time: formatTime(now),
      weather: weatherOf(home, now),
      home: homeOf(home, now),
      street: streetOf(street, now),
      devices: demoDevices.map(({ player, sn, name }) => deviceOf(sn, name, getPlayer(players, player))),
    };
  }

  const houses = (): AdjustableHouse[] => [stage().home, ...stage().street];

  return {
    /** Makes the simulation available; before that, every call is refused. */
    open(given: Stage): void {
      opened = given;
    },
    visit: async () => stage().owner.anotherToken(),
    shown,
    playWeather(weather: Partial<Pick<Conditions, 'clouds' | 'sunHour'>>): Simulation {
      for (const house of houses()) house.setConditions(weather);
      return shown();
    },
    playHome(change: Partial<Omit<Conditions, 'clouds' | 'sunHour'>>): Simulation {
      stage().home.setConditions(change);
      return shown();
    },
    playFault(sn: string, fault: FaultKind | null): Simulation {
      const { players } = stage();
      const device = demoDevices.find((device) => device.sn === sn);
      if (!device) throw new Problem('not_found', `The simulated home has no device ${sn}.`);
      const player = getPlayer(players, device.player);
      const offered = faultsOf(player);
      if (fault !== null && !offered.includes(fault)) {
        throw new Problem('unprocessable', `${device.name} cannot have ${fault}; it can have ${offered.join(', ')}.`);
      }
      if (fault === null) player.faults.clear();
      else player.faults.set(fault);
      return shown();
    },
    reset(): Simulation {
      for (const house of houses()) house.setConditions(defaultConditions);
      for (const { faults } of stage().players.values()) faults.clear();
      return shown();
    },
  };
}

function weatherOf(home: AdjustableHouse, now: number): Simulation['weather'] {
  const { hour, elevation_deg, clouds, sunshine_fract } = home.sky(now);
  const played = home.conditions();
  return {
    sun_hour: round(hour, 2),
    sun_hour_played: played.sunHour !== null,
    sun_elevation_deg: round(elevation_deg, 1),
    clouds: round(clouds, 3),
    clouds_played: played.clouds !== null,
    sunshine_fract: round(sunshine_fract, 3),
  };
}

function homeOf(home: AdjustableHouse, now: number): Simulation['home'] {
  const { meter_W, pv_W, load_W, battery_W, battery_soc_fract, charger_W, vehicle_soc_fract, isPlugged } = home.at(now);
  const { extraLoad_W, isCarHome, carCharge_W } = home.conditions();
  return {
    grid_w: meter_W,
    pv_w: pv_W,
    load_w: load_W,
    battery: { power_w: battery_W, soc_fract: round(battery_soc_fract, 3) },
    car: {
      connected: isPlugged,
      connected_played: isCarHome !== null,
      power_w: charger_W,
      soc_fract: round(vehicle_soc_fract, 3),
      charge_w: carCharge_W,
    },
    extra_load_w: extraLoad_W,
  };
}

function streetOf(houses: readonly AdjustableHouse[], now: number): Simulation['street'] {
  const states = houses.map((house) => house.at(now));
  const sum = (name: 'meter_W' | 'pv_W' | 'load_W'): number => states.reduce((total, state) => total + state[name], 0);
  return { houses: houses.length, grid_w: sum('meter_W'), pv_w: sum('pv_W'), load_w: sum('load_W') };
}

function deviceOf(sn: string, name: string, player: StreetDevice): Simulation['devices'][number] {
  return {
    sn,
    name,
    model: modelOf(player),
    connection: connectionOf(player).type,
    fault: player.faults.current() ?? null,
    faults: faultsOf(player),
  };
}

/** Returns the faults that a device can have. Modbus TCP and MQTT have no checksum, so bits do not flip there. */
function faultsOf({ connection, faults }: StreetDevice): FaultKind[] {
  const isChecked = connection.type === 'modbus_rtu' || connection.type === 'p1_uart';
  return faults.possible.filter((kind) => isChecked || kind !== 'bit-flip');
}
