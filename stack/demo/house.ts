import type { DerTypeId, DeviceTypeId } from '#contract/der.ts';
import type { DerKind } from '#contract/gateway/reading.ts';
import type { Clock } from '#lib/clock.ts';
import { errorCode } from '#lib/error-code.ts';
import { endpoints, type StreetDevice, type StreetEndpoint } from '#sim/endpoints.ts';
import type { House, HouseModel } from '#sim/house.ts';
import { circuit, garage, roof } from './house-parts.ts';

/** In Sollentuna, whose grid operator charges for power peaks. */
export const place = { latitude: 59.428, longitude: 17.9509 };

export const homeModel: HouseModel = { seed: 1, ...place };

type DemoDer = { kind: DerKind; type: DerTypeId };

const solar: DemoDer = { kind: 'pv', type: 'solar' };
const battery: DemoDer = { kind: 'battery', type: 'battery' };
const meter: DemoDer = { kind: 'meter', type: 'meter' };
const charger: DemoDer = { kind: 'v2x_charger', type: 'ev_charger_port' };

const whole = (house: House): House => house;

/** Describes a device by its simulator; `countWh` is the resolution of its energy registers. */
const device = (
  player: string,
  sn: string,
  name: string,
  deviceType: DeviceTypeId,
  ders: readonly DemoDer[],
  part: (house: House) => House,
  countWh: number,
) => ({ player, sn, name, deviceType, ders, part, countWh });

/** The P1 meter measures the grid; the meters of the inverters would count the same energy twice and are left out. */
export const demoDevices = [
  device('sungrow', 'SIMSUNGROW0001', 'Simulated hybrid inverter', 'inverter', [solar, battery], roof, 100),
  device('p1-dsmr5', 'p1_meter', 'Simulated grid meter', 'energy_meter', [meter], whole, 1),
  device('sdm630', '99000001', 'Simulated sub-meter', 'meter', [{ ...meter, type: 'load' }], circuit, 1),
  device('ambibox', 'SIM1', 'Simulated two-way charger', 'v2x_charger', [charger], whole, 1),
  device('sungrow-string', 'SIMSUNGROW0002', 'Simulated garage inverter', 'inverter', [solar], garage, 1000),
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

/** Starts the devices of the house, on their previous ports where those are free. */
export async function startDemoHouse(house: House, kept: Ports, clock: Clock) {
  await using opened = new AsyncDisposableStack();
  const players = new Map<string, StreetDevice>();
  const ports: Ports = {};
  for (const { player: name, part } of demoDevices) {
    const role = endpoints.find(({ players }) => players.some((player) => player.name === name));
    if (!role) throw new Error(`No simulator plays ${name}.`);
    const stage = { house: part(house), clock };
    const started = await startAt(role, stage, kept[name] ?? 0);
    opened.defer(() => started.close());
    for (const player of started.players) players.set(player.name, player);
    ports[name] = portOf(getPlayer(players, name));
  }
  const running = opened.move();
  return { players, ports, close: () => running.disposeAsync() };
}

async function startAt(role: StreetEndpoint, stage: { house: House; clock: Clock }, port: number) {
  try {
    return await role.start({ ...stage, port });
  } catch (error) {
    if (port === 0 || errorCode(error) !== 'EADDRINUSE') throw error;
    return role.start({ ...stage, port: 0 });
  }
}

function portOf({ connection: { port, broker_port, serial_port } }: StreetDevice): number {
  return Number(port ?? broker_port ?? String(serial_port).split(':').at(-1));
}
