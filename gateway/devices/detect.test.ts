import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Problem } from '#contract/problem.ts';
import { createModbusBuses, type ModbusBuses } from '../links/modbus/buses.ts';
import { LinkError, ModbusException, type ModbusUnit, NotConnected, Unanswered } from '../links/modbus/unit.ts';
import { createDetect } from './detect.ts';

type Answer = (unitId: number) => readonly number[] | Error;

/** Looks at an address where every question gets this answer; what is told then, and how many questions there were. */
async function look(answer: Answer, unit_id?: number) {
  let questions = 0;
  const ask = (unitId: number) => async (): Promise<never> => {
    questions += 1;
    const given = answer(unitId);
    if (given instanceof Error) throw given;
    return given as never;
  };
  const unitOf = (unitId: number) => ({ read: ask(unitId), identify: ask(unitId) }) as unknown as ModbusUnit;
  const buses: ModbusBuses = {
    ...createModbusBuses(),
    acquire: (_, unitId) => ({ unit: unitOf(unitId), release: async () => undefined }),
  };
  const detect = createDetect({ buses, resolve: async (host) => host, probes: { run: (probe) => probe() } });
  const asked = { ip: '10.0.0.7', port: 502, ...(unit_id !== undefined && { unit_id }) };
  const told = await detect(asked).then(JSON.stringify, (problem: Problem) => problem.message);
  return { told, questions };
}

const silence = () => new Unanswered('Unit 240 at 10.0.0.7:502 did not answer within 1000 ms.');

suite('what is told of an address where no device was found', () => {
  test('all is silent: the usual unit ids by name, and not one of them', async () => {
    const { told, questions } = await look(silence);
    assert.match(told, /^None of the usual unit ids \(1, 0, 247, .*\) answers at 10\.0\.0\.7:502\. Does Modbus/);
    assert.ok(questions <= 24, `${questions} questions, each a second of waiting`);
  });

  test('a gateway knows none of the units', async () => {
    const { told } = await look(() => new ModbusException(11));
    assert.match(told, /^None of the usual unit ids/);
  });

  test('the one unit that was named', async () => {
    assert.match((await look(silence, 7)).told, /^No unit 7 answers at 10\.0\.0\.7:502\. Is this its unit id/);
  });

  test('what is said is not Modbus, though most units are silent', async () => {
    const noise = new LinkError('The device sent bytes that are not Modbus TCP.');
    assert.equal((await look((unit) => (unit === 3 ? noise : silence()))).told, noise.message);
  });

  test('no connection: nothing else is tried', async () => {
    const { told, questions } = await look(() => new NotConnected('Nothing listens there.'));
    assert.equal(told, 'Nothing listens there.');
    assert.ok(questions <= 4, `${questions} questions`);
  });

  test('a unit that fits no profile is an answer', async () => {
    const { told } = await look((unit) => (unit === 3 ? new ModbusException(2) : new ModbusException(11)));
    assert.deepEqual(JSON.parse(told), { ip: '10.0.0.7', port: 502, candidates: [] });
  });
});
