import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Street, startStreet } from '#sim/street.ts';
import { fixedHouse } from '#sim/testing/fixed-house.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { startGatewayProcess } from './gateway-process.ts';

const kills = 20;
const players = { sungrow: 'SIMSUNGROW0001', goodwe: 'SIMGOODWE0000001', sma: '990000001', victron: 'SIMVICTRON01' };
const names = Object.keys(players) as Name[];
type Name = keyof typeof players;

/** The devices, and the capacity that was set for their batteries. */
type State = Partial<Record<Name, number>>;

type Change = { leads: State; method: string; path: string; body?: unknown };

/** A device that is added, removed or changed. */
function someChange(state: State, street: Street, capacity: number): Change {
  const name = names[randomInt(names.length)]!;
  const path = `/api/devices/${players[name]}`;
  const { [name]: known, ...others } = state;
  if (known === undefined) {
    const body = street.players.find((player) => player.name === name)!.connection;
    return { leads: { ...state, [name]: 0 }, method: 'POST', path: '/api/devices', body };
  }
  if (randomInt(3) === 0) return { leads: others, method: 'DELETE', path };
  const body = { ders: [{ type: 'battery', capacity }] };
  return { leads: { ...state, [name]: capacity }, method: 'POST', path: `${path}/ders`, body };
}

type Gateway = Awaited<ReturnType<typeof startGatewayProcess>>;

async function stateOf({ call }: Gateway): Promise<State> {
  const { body } = await call('GET', '/api/devices');
  const capacities = body.devices.map(({ sn, ders }: { sn: string; ders: { type: string; capacity?: number }[] }) => [
    names.find((name) => players[name] === sn),
    ders.find(({ type }) => type === 'battery')!.capacity ?? 0,
  ]);
  return Object.fromEntries(capacities);
}

/** Makes changes one after another until the process is gone: the last confirmed state, and the pending change. */
async function changeUntilKilled({ call }: Gateway, from: State, street: Street) {
  let state = from;
  for (let answered = 0; ; answered += 1) {
    const { leads, method, path, body } = someChange(state, street, randomInt(1, 1e6));
    try {
      const answer = await call(method, path, body);
      assert.ok(answer.status < 300, JSON.stringify(answer.body));
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      return { possible: [state, leads], answered };
    }
    state = leads;
  }
}

const spelled = (state: State): string => JSON.stringify(names.map((name) => state[name] ?? null));

test(`the files of devices are old or new after each of ${kills} kills, never torn`, async (t) => {
  const folder = temporaryFolder(t);
  const street = await startStreet({ portBase: 0, only: names, house: fixedHouse({ battery_W: 500 }) });
  t.after(() => street.close());

  const serials = new Set<string>();
  let possible: State[] = [{}];
  let changes = 0;
  let killed = 0;
  for (; killed < kills || (changes <= kills && killed < 5 * kills); killed += 1) {
    const gateway = await startGatewayProcess(folder);
    t.after(gateway.kill);
    serials.add(gateway.serial);
    const state = await stateOf(gateway);
    assert.ok(possible.map(spelled).includes(spelled(state)), `${spelled(state)} of ${possible.map(spelled).join()}`);
    assert.deepEqual(gateway.errors(), []);
    assert.deepEqual(
      readdirSync(join(folder, 'devices')).filter((file) => !/^[0-9a-f]{16}\.json$/.test(file)),
      [],
    );
    const changing = changeUntilKilled(gateway, state, street);
    await sleep(randomInt(20, 250));
    await gateway.kill();
    const { answered, ...left } = await changing;
    possible = left.possible;
    changes += answered;
  }
  console.log(`${killed} kills after ${changes} changes that were answered, each with one under way`);
  assert.equal(serials.size, 1);
  assert.ok(changes > kills);
});
