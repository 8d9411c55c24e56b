import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LinkError } from '../../links/link-error.ts';
import { ModbusException, type ReadRegisters } from '../../links/modbus/unit.ts';
import { createReadPlan, type PlanLimits, type RegisterSlot } from './read-plan.ts';

const cell = (address: number, count = 1, isMandatory = false): RegisterSlot => ({
  table: 'holding',
  address,
  count,
  isMandatory,
  words: undefined,
  offset: 0,
});

/** A device whose registers contain their address, except for missing ones. */
function device(isMissing: (address: number) => boolean = () => false): { read: ReadRegisters; log: string[] } {
  const log: string[] = [];
  return {
    log,
    async read(_table, address, count) {
      log.push(`${address}+${count}`);
      const words = Array.from({ length: count }, (_, index) => address + index);
      if (words.some(isMissing)) throw new ModbusException(2);
      return words;
    },
  };
}

const contentOf = ({ words, offset: at, count }: RegisterSlot): readonly number[] | undefined =>
  words?.slice(at, at + count);

for (const { says, addresses, limits, requests } of [
  { says: 'neighbours and small gaps are read together', addresses: [10, 11, 20, 33], requests: ['10+24'] },
  { says: 'a wide gap is not read', addresses: [10, 24], requests: ['10+1', '24+1'] },
  {
    says: 'a request has at most 125 registers',
    addresses: [0, 12, 24, 36, 48, 60, 72, 84, 96, 108, 120, 125],
    requests: ['0+121', '125+1'],
  },
  {
    says: 'a device may have a lower limit',
    addresses: [0, 9, 10],
    limits: { maxBlock: 10 },
    requests: ['0+10', '10+1'],
  },
  { says: 'a border is not crossed', addresses: [99, 100], limits: { borders: [100] }, requests: ['99+1', '100+1'] },
  {
    says: 'a range is read together regardless of gaps',
    addresses: [100, 160, 180],
    limits: { together: [{ table: 'holding', address: 100, count: 70 }] } satisfies PlanLimits,
    requests: ['100+61', '180+1'],
  },
]) {
  test(says, async () => {
    const { read, log } = device();
    const cells = addresses.map((address) => cell(address));
    assert.equal(await createReadPlan(cells, limits ?? {}).read(read), true);
    assert.deepEqual(log, requests);
    assert.deepEqual(
      cells.map(contentOf),
      addresses.map((address) => [address]),
    );
  });
}

test('the two tables are never mixed', async () => {
  const tables: string[] = [];
  await createReadPlan([cell(1), { ...cell(2), table: 'input' }]).read(async (table, address, count) => {
    tables.push(`${table} ${address}+${count}`);
    return [0];
  });
  assert.deepEqual(tables, ['holding 1+1', 'input 2+1']);
});

test('a refused block is split at its widest gap and stays split', async () => {
  const { read, log } = device((address) => address === 15);
  const cells = [cell(10), cell(11), cell(20), cell(21)];
  const plan = createReadPlan(cells);
  await plan.read(read);
  assert.deepEqual(log, ['10+12', '10+2', '20+2']);
  assert.deepEqual(cells.map(contentOf), [[10], [11], [20], [21]]);
  log.length = 0;
  await plan.read(read);
  assert.deepEqual(log, ['10+2', '20+2']);
});

test('registers refused three times in a row are given up, except mandatory ones', async () => {
  const { read, log } = device((address) => address >= 50);
  const plan = createReadPlan([cell(10), cell(50), cell(90, 2, true)]);
  for (let round = 0; round < 5; round++) await plan.read(read);
  assert.equal(log.filter((request) => request === '50+1').length, 3);
  assert.equal(log.filter((request) => request === '90+2').length, 5);
});

test('given-up registers are tried again after 300 readings, dropped ones are not', async () => {
  let isSick = true;
  const { read, log } = device((address) => address < 40 && isSick);
  const cells = [cell(10), cell(11), cell(20), cell(50)];
  const plan = createReadPlan(cells);
  plan.drop(new Set([cells[2]!]));
  for (let round = 0; round < 4; round++) await plan.read(read);
  isSick = false;
  await plan.read(read);
  assert.deepEqual(cells.map(contentOf), [undefined, undefined, undefined, [50]]);
  for (let round = 5; round < 300; round++) await plan.read(read);
  assert.deepEqual(cells.map(contentOf), [[10], [11], undefined, [50]]);
  assert.deepEqual(log.slice(-2), ['10+2', '50+1']);
});

test('the plan is unchanged after readings in which everything was refused', async () => {
  let isSick = true;
  const { read, log } = device(() => isSick);
  const cells = [cell(10), cell(11), cell(20)];
  const plan = createReadPlan(cells);
  for (let round = 0; round < 5; round++) assert.equal(await plan.read(read), false);
  isSick = false;
  log.length = 0;
  assert.equal(await plan.read(read), true);
  assert.deepEqual(log, ['10+11']);
});

test('a success resets the count of refusals', async () => {
  let isSick = true;
  const { read, log } = device((address) => address === 50 && isSick);
  const plan = createReadPlan([cell(10), cell(50)]);
  for (const sick of [true, true, false, true, true, false]) {
    isSick = sick;
    await plan.read(read);
  }
  assert.equal(log.filter((request) => request === '50+1').length, 6);
});

test('a refused register has no old value', async () => {
  let isSick = false;
  const { read } = device((address) => address === 50 && isSick);
  const cells = [cell(10), cell(50)];
  const plan = createReadPlan(cells);
  await plan.read(read);
  isSick = true;
  await plan.read(read);
  assert.deepEqual(cells.map(contentOf), [[10], undefined]);
});

test('a short answer is treated as a refusal', async () => {
  const cells = [cell(10, 2)];
  assert.equal(await createReadPlan(cells).read(async () => [1]), false);
  assert.equal(cells[0]!.words, undefined);
});

for (const failure of [new LinkError('No answer.'), new ModbusException(6), new ModbusException(11)]) {
  test(`"${failure.message}" aborts the reading`, async () => {
    let requests = 0;
    const read: ReadRegisters = async () => {
      requests += 1;
      throw failure;
    };
    await assert.rejects(createReadPlan([cell(10), cell(100)]).read(read), failure);
    assert.equal(requests, 1);
  });
}

test('dropped registers are not read again', async () => {
  const { read, log } = device();
  const [first, second, third] = [cell(10), cell(20), cell(30)];
  const plan = createReadPlan([first, second, third]);
  plan.drop(new Set([third]));
  await plan.read(read);
  plan.drop(new Set([first, second]));
  assert.equal(await plan.read(read), false);
  assert.deepEqual(log, ['10+11']);
});
