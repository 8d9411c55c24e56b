import assert from 'node:assert/strict';
import { after, before, describe, suite, test } from 'node:test';
import { forms } from '#contract/gateway/form.ts';
import { gatewayRoutes } from '#contract/gateway/routes.ts';
import { type Street, startStreet } from '#sim/street.ts';
import { fixedHouse } from '#sim/testing/fixed-house.ts';
import { beyond, documented } from './documented-routes.ts';
import { fakeCommands } from './fake-commands.ts';
import { openGateway } from './open-gateway.ts';
import { openNetwork } from './open-network.ts';

const named = [...new Set(documented.map(({ is }) => is))];
const inContract = new Map(gatewayRoutes.map((route) => [`${route.method} ${route.path}`, route]));

suite('the contract', () => {
  test('has every documented route, and beside them only those that are listed here', () => {
    assert.deepEqual([...inContract.keys()].toSorted(), [...named, ...beyond].toSorted());
  });

  for (const { is, status } of documented) {
    test(`${is} is answered with ${status}`, () => {
      assert.ok(String(status) in inContract.get(is)!.replies);
    });
  }
});

/** In five seconds it is another one. */
const endsIt = ['POST /api/system/reboot', 'POST /api/system/mqtt', 'DELETE /api/system/mqtt'];

suite('a running gateway', () => {
  let gateway: Awaited<ReturnType<typeof openGateway>>;
  let ending: Awaited<ReturnType<typeof openGateway>>;
  let street: Street;
  let connection: Record<string, unknown>;
  before(async () => {
    gateway = await openGateway({ HARVEST_MS: '200' });
    ending = await openGateway();
    street = await startStreet({ portBase: 0, only: ['sungrow'], house: fixedHouse({ pv_W: -3000, battery_W: 1000 }) });
    connection = street.players[0]!.connection;
  });
  after(async () => {
    await gateway.close();
    await ending.close();
    await street.close();
  });

  const placed = (path: string): string => path.replace('{sn}', 'SIMSUNGROW0001').replace('{address}', '13050');

  const bodyOf = (is: string, body: unknown): unknown => {
    if (body === 'sungrow') return connection;
    const { ip, port, unit_id } = connection;
    return is === 'POST /api/modbus/read' ? { ip, port, unit_id, ...(body as object) } : body;
  };

  for (const form of forms) {
    describe(`in the ${form} form`, () => {
      for (const { is, status, fields, body, query = '', isRadio } of documented) {
        const [method, path] = is.split(' ') as [string, string];
        if (isRadio || path.startsWith('/api/control/')) continue;
        test(`${is} answers ${status} with its fields`, async () => {
          const asked = endsIt.includes(is) ? ending : gateway;
          const answer = await asked.call(method, placed(path) + query, bodyOf(is, body), { 'x-api-form': form });
          assert.equal(answer.status, status, JSON.stringify(answer.body));
          assert.match(answer.headers.get('content-type')!, /^application\/json/);
          holds(answer.body, typeof fields === 'string' ? fields : fields[form]);
        });
      }
    });
  }

  test('format names the profile in the earlier form, json in the later one', async () => {
    await gateway.call('POST', '/api/devices', connection);
    const formatIn = async (form: string) =>
      (await gateway.call('GET', placed('/api/devices/{sn}/data/json'), undefined, { 'x-api-form': form })).body.format;
    assert.deepEqual([await formatIn('earlier'), await formatIn('later')], ['sungrow', 'json']);
  });

  const paths = new Map(named.concat(beyond).map((is) => [is.split(' ')[1]!, [] as string[]]));
  for (const is of [...named, ...beyond]) paths.get(is.split(' ')[1]!)!.push(is.split(' ')[0]!);

  for (const [path, methods] of paths) {
    if (path.startsWith('/api/control/')) continue;
    const wrong = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => !methods.includes(method));
    test(`${path} answers 405 to ${wrong.join(', ')}`, async () => {
      for (const method of wrong) {
        const { status, body } = await gateway.call(method, placed(path));
        assert.equal(status, 405, method);
        assert.deepEqual([body.status, body.error], ['error', 'method_not_allowed']);
      }
    });
  }
});

suite('the radio', () => {
  for (const form of forms) {
    for (const { is, status, fields, body, isRadio } of documented) {
      if (!isRadio || is === 'POST /api/system/factory-reset') continue; // gateway/system/system.test.ts
      test(`${is} answers ${status} in the ${form} form`, async (t) => {
        const { call } = openNetwork(t, (await fakeCommands(t)).path);
        const answer = await call(is, { ...(body !== undefined && { body }), headers: { 'x-api-form': form } });
        assert.equal(answer.status, status, JSON.stringify(answer.body));
        holds(answer.body, typeof fields === 'string' ? fields : fields[form]);
      });
    }
  }
});

const isOfType: Record<string, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  number: (value) => Number.isFinite(value),
  integer: (value) => Number.isSafeInteger(value),
  array: (value) => Array.isArray(value),
  object: (value) => typeof value === 'object' && value !== null,
};

function holds(body: unknown, fields: string): void {
  for (const field of fields.split(' ')) {
    const { path, type, optional } = /^(?<path>.+):(?<type>\w+)(?<optional>\?)?$/.exec(field)!.groups!;
    const values = valuesAt(body, path!.replaceAll('[]', '.[]').split('.'));
    assert.ok(optional || values.length > 0, `${field} of ${JSON.stringify(body)}`);
    for (const value of values) {
      assert.ok((optional && value === undefined) || isOfType[type!]!(value), `${field}: ${JSON.stringify(value)}`);
    }
  }
}

/** All values at a path; `[]` goes into each item. */
function valuesAt(value: unknown, [step, ...rest]: readonly string[]): unknown[] {
  if (step === undefined) return [value];
  if (step === '[]') return (value as unknown[]).flatMap((item) => valuesAt(item, rest));
  return valuesAt((value as Record<string, unknown>)?.[step], rest);
}
