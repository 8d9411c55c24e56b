import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Problem } from '#contract/problem.ts';
import { LinkError, NotConnected, Refused } from '../links/link-error.ts';
import { createModbusBuses, type ModbusBuses } from '../links/modbus/buses.ts';
import { ModbusException, type ModbusUnit, Unanswered } from '../links/modbus/unit.ts';
import { createDetect } from './detect.ts';

type Answer = (unitId: number, port: number) => readonly number[] | Error;

/** Detects at an address where every request gets this answer; returns the result and the number of requests. */
async function look(answer: Answer, asked: { port?: number; unit_id?: number } = { port: 502 }) {
  let questions = 0;
  const ask = (unitId: number, port: number) => async (): Promise<never> => {
    questions += 1;
    const given = answer(unitId, port);
    if (given instanceof Error) throw given;
    return given as never;
  };
  const unitOf = (unitId: number, port: number) =>
    ({ read: ask(unitId, port), identify: ask(unitId, port) }) as unknown as ModbusUnit;
  const buses: ModbusBuses = {
    ...createModbusBuses(),
    acquire: (endpoint, unitId) => ({
      unit: unitOf(unitId, 'port' in endpoint ? endpoint.port : 0),
      release: async () => undefined,
    }),
  };
  const detect = createDetect({ buses, resolve: async (host) => host, probes: { run: (probe) => probe() } });
  const told = await detect
    .at({ ip: '10.0.0.7', ...asked })
    .then(JSON.stringify, (problem: Problem) => problem.message);
  return { told, questions };
}

const silence = () => new Unanswered('Unit 240 at 10.0.0.7:502 did not answer within 1000 ms.');

suite('detection at an address without a device', () => {
  test('explains silence with the usual unit ids', async () => {
    const { told, questions } = await look(silence);
    assert.match(told, /^None of the usual unit ids \(1, 247, .*\) answers at 10\.0\.0\.7:502\. Does Modbus/);
    assert.ok(questions <= 24, `${questions} requests, each with a timeout of one second`);
  });

  test('explains a Modbus gateway that has none of the units', async () => {
    const { told } = await look(() => new ModbusException(11));
    assert.match(told, /^None of the usual unit ids/);
  });

  test('names the requested unit', async () => {
    assert.match(
      (await look(silence, { port: 502, unit_id: 7 })).told,
      /^No unit 7 answers at 10\.0\.0\.7:502\. Is this its unit id/,
    );
  });

  test('reports answers that are not Modbus, even if most units are silent', async () => {
    const noise = new LinkError('The device sent bytes that are not Modbus TCP.');
    assert.equal((await look((unit) => (unit === 3 ? noise : silence()))).told, noise.message);
  });

  test('tries nothing else without a connection', async () => {
    const { told, questions } = await look(() => new NotConnected('Nothing listens there.'));
    assert.equal(told, 'Nothing listens there.');
    assert.ok(questions <= 4, `${questions} questions`);
  });

  test('accepts a unit that matches no profile', async () => {
    const { told } = await look((unit) => (unit === 3 ? new ModbusException(2) : new ModbusException(11)));
    assert.deepEqual(JSON.parse(told), { ip: '10.0.0.7', port: 502, candidates: [] });
  });
});

suite('detection without a port', () => {
  const listeningAt =
    (...ports: number[]): Answer =>
    (unit, port) => {
      if (!ports.includes(port)) return new Refused(`10.0.0.7:${port} refuses the connection.`);
      return unit === 71 ? new ModbusException(2) : new ModbusException(11);
    };

  test('tries other ports that profiles use, and reports the one found', async () => {
    const { told } = await look(listeningAt(1502), {});
    assert.deepEqual(JSON.parse(told), { ip: '10.0.0.7', port: 1502, candidates: [] });
  });

  test('tries them only when nothing listens at the usual one', async () => {
    const { told } = await look(listeningAt(502, 1502), {});
    assert.deepEqual(JSON.parse(told), { ip: '10.0.0.7', port: 502, candidates: [] });
  });

  test('reports all tried ports when nothing listens anywhere', async () => {
    const { told, questions } = await look(listeningAt(), {});
    assert.match(told, /^Nothing listens at 10\.0\.0\.7 .*\(502, 1502, 6607\)\. Is Modbus TCP switched on/);
    assert.ok(questions <= 12, `${questions} questions`);
  });

  test('waits once for an unreachable host', async () => {
    const { told, questions } = await look(() => new NotConnected('10.0.0.7:502 did not accept a connection.'), {});
    assert.equal(told, '10.0.0.7:502 did not accept a connection.');
    assert.ok(questions <= 4, `${questions} questions`);
  });

  test('a given port is the only one tried', async () => {
    assert.equal((await look(listeningAt(1502))).told, '10.0.0.7:502 refuses the connection.');
  });
});
