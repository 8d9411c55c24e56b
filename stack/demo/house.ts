import type { DerTypeId, DeviceTypeId } from '#contract/der.ts';
import type { DerKind } from '#contract/gateway/reading.ts';
import type { Clock } from '#lib/clock.ts';
import { endpoints, type StreetDevice, type StreetEndpoint } from '#sim/endpoints.ts';
import type { House, HouseModel } from '#sim/house.ts';
import { circuit, garage, roof } from './house-parts.ts';

export const place = { latitude: 59.3293, longitude: 18.0686 };

export const homeModel: HouseModel = { seed: 1, ...place };

export type DemoDevice = {
  /** the simulator that plays it */
  player: string;
  /** its serial number on the gateway */
  sn: string;
  name: string;
  deviceType: DeviceTypeId;
  /** the DERs that are sent to the platform */
  ders: readonly { kind: DerKind; type: DerTypeId }[];
  part(house: House): House;
  /** the resolution of its energy registers */
  countWh: number;
};

const whole = (house: House): House => house;

/** The P1 meter measures the grid; the meters of the inverters would count the same energy twice and are left out. */
export const demoDevices: readonly DemoDevice[] = [
  {
    player: 'sungrow',
    sn: 'SIMSUNGROW0001',
    name: 'Simulated hybrid inverter',
    deviceType: 'inverter',
    ders: [
      { kind: 'pv', type: 'solar' },
      { kind: 'battery', type: 'battery' },
    ],
    part: roof,
    countWh: 100,
  },
  {
    player: 'p1-dsmr5',
    sn: 'p1_meter',
    name: 'Simulated grid meter',
    deviceType: 'energy_meter',
    ders: [{ kind: 'meter', type: 'meter' }],
    part: whole,
    countWh: 1,
  },
  {
    player: 'sdm630',
    sn: '99000001',
    name: 'Simulated sub-meter',
    deviceType: 'meter',
    ders: [{ kind: 'meter', type: 'load' }],
    part: circuit,
    countWh: 1,
  },
  {
    player: 'ambibox',
    sn: 'SIM1',
    name: 'Simulated two-way charger',
    deviceType: 'v2x_charger',
    ders: [{ kind: 'v2x_charger', type: 'ev_charger_port' }],
    part: whole,
    countWh: 1,
  },
  {
    player: 'sungrow-string',
    sn: 'SIMSUNGROW0002',
    name: 'Simulated garage inverter',
    deviceType: 'inverter',
    ders: [{ kind: 'pv', type: 'solar' }],
    part: garage,
    countWh: 1000,
  },
];

/** Returns the model name, marked as simulated: not every serial number can show that. */
export const modelOf = ({ title }: { title: string }): string => `${title}, simulated`;

export type Ports = Record<string, number>;

export type Players = ReadonlyMap<string, StreetDevice>;

export function getPlayer(players: Players, name: string): StreetDevice {
  const player = players.get(name);
  if (!player) throw new Error(`No simulated device is called ${name}.`);
  return player;
}

export type DemoHouse = { players: Players; ports: Ports; close(): Promise<void> };

/** Starts the devices of the house, on their previous ports where those are free. */
export async function startDemoHouse(house: House, kept: Ports, clock: Clock): Promise<DemoHouse> {
  const opened = new AsyncDisposableStack();
  const players = new Map<string, StreetDevice>();
  const ports: Ports = {};
  try {
    for (const { player: name, part } of demoDevices) {
      const role = endpoints.find(({ players }) => players.some((player) => player.name === name));
      if (!role) throw new Error(`No simulator plays ${name}.`);
      const stage = { house: part(house), clock };
      const started = await startAt(role, stage, kept[name] ?? 0);
      opened.defer(() => started.close());
      for (const player of started.players) players.set(player.name, player);
      ports[name] = portOf(getPlayer(players, name));
    }
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
  return { players, ports, close: () => opened.disposeAsync() };
}

async function startAt(role: StreetEndpoint, stage: { house: House; clock: Clock }, port: number) {
  try {
    return await role.start({ ...stage, port });
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    if (port === 0 || !isTaken) throw error;
    return role.start({ ...stage, port: 0 });
  }
}

function portOf({ connection: { port, broker_port, serial_port } }: StreetDevice): number {
  return Number(port ?? broker_port ?? String(serial_port).split(':').at(-1));
}
