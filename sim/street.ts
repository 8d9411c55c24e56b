import { type Clock, systemClock } from '#lib/clock.ts';
import { createHouse, type House } from './house.ts';
import { cast, type Player, roles } from './roles.ts';

export type Street = { house: House; players: Player[]; close(): Promise<void> };

export type StreetOptions = {
  /** names of players; all of them when left out */
  only?: readonly string[];
  host?: string;
  /** each address of the street has its own port, counted from here; 0 takes any that are free */
  portBase?: number;
  house?: House;
  seed?: number;
  clock?: Clock;
};

export const usualPortBase = 5020;

/** One house, shown by as many devices as are asked for. */
export async function startStreet(options: StreetOptions = {}): Promise<Street> {
  const { only, host = '127.0.0.1', portBase = usualPortBase, seed = 1, clock = systemClock } = options;
  const unknown = only?.find((name) => !cast.some((player) => player.name === name));
  if (unknown !== undefined) throw new Error(`Nobody in the street is called ${unknown}.`);
  const house = options.house ?? createHouse({ seed, clock });
  const isAsked = ({ name }: { name: string }): boolean => !only || only.includes(name);
  const started: Awaited<ReturnType<(typeof roles)[number]['start']>>[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(started.map((role) => role.close()));
  };
  try {
    for (const [index, role] of roles.entries()) {
      if (!role.players.some(isAsked)) continue;
      started.push(await role.start({ host, port: portBase && portBase + index, house, clock }));
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { house, players: started.flatMap(({ players }) => players).filter(isAsked), close };
}
