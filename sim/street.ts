import { type Clock, systemClock } from '#lib/clock.ts';
import { endpoints, type StreetDevice, type StreetEndpoint, streetDevices } from './endpoints.ts';
import { createHouse, type House } from './house.ts';

export type Street = { house: House; players: StreetDevice[]; close(): Promise<void> };

export type StreetOptions = {
  /** names of devices; default: all */
  only?: readonly string[];
  host?: string;
  /** first port of the endpoints, which are numbered from here; 0 selects free ports */
  portBase?: number;
  house?: House;
  seed?: number;
  clock?: Clock;
};

export const defaultPortBase = 5020;

/** Starts the simulated devices of one house. */
export async function startStreet(options: StreetOptions = {}): Promise<Street> {
  const { only, host = '127.0.0.1', portBase = defaultPortBase, seed = 1, clock = systemClock } = options;
  const unknown = only?.find((name) => !streetDevices.some((player) => player.name === name));
  if (unknown !== undefined) throw new Error(`The street has no device named ${unknown}.`);
  const house = options.house ?? createHouse({ seed, clock });
  const isSelected = ({ name }: { name: string }): boolean => !only || only.includes(name);
  const started: Awaited<ReturnType<StreetEndpoint['start']>>[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(started.map((role) => role.close()));
  };
  try {
    for (const [index, role] of endpoints.entries()) {
      if (!role.players.some(isSelected)) continue;
      started.push(await role.start({ host, port: portBase && portBase + index, house, clock }));
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { house, players: started.flatMap(({ players }) => players).filter(isSelected), close };
}
