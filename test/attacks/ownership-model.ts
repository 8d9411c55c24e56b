/** Two neighbours and their actions on one gateway. `message` selects one of their signed messages. */
export type Move =
  | { does: 'claim'; who: Neighbour; message: number }
  | { does: 'release'; who: Neighbour }
  | { does: 'provision'; who: Neighbour };

export type Neighbour = 'ada' | 'bob';

type DeviceState = 'pending' | 'active' | 'orphaned';

/** The owner of the gateway, and the state of its device in each organization. */
export type Ownership = { owner: Neighbour | null; devices: Partial<Record<Neighbour, DeviceState>> };

/** The answers to all moves, in order, and the final state. */
export type Ending = { statuses: number[]; ownership: Ownership };

type State = Ownership & { used: Set<string> };

/** The rules in their simplest form: changes the state and returns the status. */
function make(move: Move, state: State): number {
  const { who } = move;
  if (move.does === 'claim') {
    const signed = `${who} ${move.message}`;
    if (state.used.has(signed)) return state.owner === who ? 200 : 403;
    state.used.add(signed);
    const before = state.owner;
    if (before && before !== who) orphan(before, state);
    state.owner = who;
    return before === null ? 201 : 200;
  }
  if (state.owner !== who) return 404;
  if (move.does === 'release') {
    orphan(who, state);
    state.owner = null;
    return 204;
  }
  const device = state.devices[who];
  state.devices[who] = device === undefined ? 'pending' : device === 'orphaned' ? 'active' : device;
  return device === undefined ? 201 : 200;
}

function orphan(who: Neighbour, { devices }: State): void {
  if (devices[who]) devices[who] = 'orphaned';
}

/** Whether some sequential order gives these answers and this end; `owner` had the gateway before. */
export function isSerial(moves: readonly Move[], seen: Ending, owner: Neighbour | null = null): boolean {
  const text = textOf(seen);
  return orders(moves.length).some((order) => {
    const state: State = { owner, devices: {}, used: new Set() };
    const statuses: number[] = [];
    for (const index of order) statuses[index] = make(moves[index]!, state);
    return textOf({ statuses, ownership: state }) === text;
  });
}

const textOf = ({ statuses, ownership: { owner, devices } }: Ending): string =>
  JSON.stringify([statuses, owner, devices.ada ?? null, devices.bob ?? null]);

function orders(length: number): number[][] {
  if (length === 0) return [[]];
  return orders(length - 1).flatMap((order) =>
    Array.from({ length }, (_, at) => [...order.slice(0, at), length - 1, ...order.slice(at)]),
  );
}
