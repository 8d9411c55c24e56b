import type { DerTypeId, DeviceTypeId } from '#contract/der.ts';
import type { DerKind } from '#contract/gateway/reading.ts';
import type { Clock } from '#lib/clock.ts';
import type { House, HouseModel } from '#sim/house.ts';
import { type Player, type Role, roles } from '#sim/roles.ts';
import { circuit, garage, roof } from './house-parts.ts';

export const place = { latitude: 59.3293, longitude: 18.0686 };

export const homeModel: HouseModel = { seed: 1, ...place };

export type DemoDevice = {
  /** who plays it in the street */
  player: string;
  /** what the gateway calls it */
  sn: string;
  name: string;
  deviceType: DeviceTypeId;
  /** those that are sent to the platform, and what they are there */
  ders: Partial<Record<DerKind, DerTypeId>>;
  part(house: House): House;
  /** one count of its energy registers */
  countWh: number;
};

const whole = (house: House): House => house;

/** The meter of the house is the P1 meter; those of the inverters would count the same once more. */
export const demoDevices: readonly DemoDevice[] = [
  {
    player: 'sungrow',
    sn: 'SIMSUNGROW0001',
    name: 'Simulated hybrid inverter',
    deviceType: 'inverter',
    ders: { pv: 'solar', battery: 'battery' },
    part: roof,
    countWh: 100,
  },
  {
    player: 'p1-dsmr5',
    sn: 'p1_meter',
    name: 'Simulated grid meter',
    deviceType: 'energy_meter',
    ders: { meter: 'meter' },
    part: whole,
    countWh: 1,
  },
  {
    player: 'sdm630',
    sn: '99000001',
    name: 'Simulated sub-meter',
    deviceType: 'meter',
    ders: { meter: 'load' },
    part: circuit,
    countWh: 1,
  },
  {
    player: 'ambibox',
    sn: 'SIM1',
    name: 'Simulated two-way charger',
    deviceType: 'v2x_charger',
    ders: { v2x_charger: 'ev_charger_port' },
    part: whole,
    countWh: 1,
  },
  {
    player: 'sungrow-string',
    sn: 'SIMSUNGROW0002',
    name: 'Simulated garage inverter',
    deviceType: 'inverter',
    ders: { pv: 'solar' },
    part: garage,
    countWh: 1000,
  },
];

/** What it is a simulation of; it says so everywhere, as the serials of some cannot: they are numbers, or not on the wire. */
export const modelOf = ({ title }: { title: string }): string => `${title}, simulated`;

export type Ports = Record<string, number>;

export type DemoHouse = { players: Map<string, Player>; ports: Ports; close(): Promise<void> };

/** Starts the devices of the house, on the ports they had before when those are free. */
export async function startDemoHouse(house: House, kept: Ports, clock: Clock): Promise<DemoHouse> {
  const opened = new AsyncDisposableStack();
  const players = new Map<string, Player>();
  const ports: Ports = {};
  try {
    for (const { player: name, part } of demoDevices) {
      const role = roles.find(({ players }) => players.some((player) => player.name === name))!;
      const stage = { house: part(house), clock };
      const started = await startAt(role, stage, kept[name] ?? 0);
      opened.defer(() => started.close());
      const player = started.players.find((player) => player.name === name)!;
      players.set(name, player);
      ports[name] = portOf(player);
    }
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
  return { players, ports, close: () => opened.disposeAsync() };
}

async function startAt(role: Role, stage: { house: House; clock: Clock }, port: number) {
  try {
    return await role.start({ ...stage, port });
  } catch (error) {
    if (port === 0 || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return role.start({ ...stage, port: 0 });
  }
}

function portOf({ connection: { port, broker_port, serial_port } }: Player): number {
  return Number(port ?? broker_port ?? String(serial_port).split(':').at(-1));
}
