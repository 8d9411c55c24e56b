import assert from 'node:assert/strict';
import { test } from 'node:test';
import { publicDeviceTypes } from '#contract/der.ts';
import { onEachEngine } from '#test/cloud/on-each-engine.ts';

onEachEngine('provisioning', async (cloud) => {
  const ada = await cloud.person();
  const org = await cloud.organization(ada);
  const site = await cloud.site(ada, org);
  const { serial } = await cloud.claim(ada, org);

  let count = 0;
  const send = (changes: object, as = ada) => {
    const body = {
      gateway_serial: serial,
      hardware_id: `HW-${count++}`,
      device_type: 'inverter',
      site_id: site,
      ...changes,
    };
    return cloud.call('POST', '/devices/provision', { as, body });
  };

  test('a device is made with its DERs', async () => {
    const { status, body } = await send({
      hardware_id: 'SUNG123',
      name: 'Roof',
      manufacturer: 'Sungrow',
      model: 'SH10RT',
      ders: [
        { name: 'pv', type: 'solar' },
        { name: 'bat', type: 'battery' },
      ],
    });
    assert.equal(status, 201);
    const { id, ders, created_at, ...rest } = body;
    assert.match(id, /^dev-/);
    assert.match(ders[0].id, /^der-/);
    assert.deepEqual(
      ders.map(({ name, type }: { name: string; type: string }) => [name, type]),
      [
        ['pv', 'solar'],
        ['bat', 'battery'],
      ],
    );
    assert.deepEqual(rest, {
      device_id: id,
      name: 'Roof',
      type: 'inverter',
      device_type: 'inverter',
      state: 'pending',
      hardware_id: 'SUNG123',
      online: false,
      last_seen: null,
      gateway_serial: serial,
      site_id: site,
      manufacturer: 'Sungrow',
      model: 'SH10RT',
      created: true,
    });
    const der = await cloud.call('GET', `/ders/${ders[0].id}`, { as: ada });
    assert.equal(der.body.device_id, id);
    assert.equal(der.body.latest, null);
  });

  test('provisioning again brings it up to date and deletes nothing', async () => {
    const first = await send({ hardware_id: 'SAME', name: 'One', ders: [{ name: 'pv', type: 'pv' }] });
    const otherSite = await cloud.site(ada, org);
    const second = await send({ hardware_id: 'SAME', site_id: otherSite, ders: [{ name: 'meter', type: 'meter' }] });
    assert.equal(second.status, 200);
    assert.equal(second.body.created, false);
    assert.equal(second.body.id, first.body.id);
    assert.equal(second.body.name, 'One');
    assert.equal(second.body.site_id, otherSite);
    assert.deepEqual(
      second.body.ders.map(({ name }: { name: string }) => name),
      ['pv', 'meter'],
    );
    const renamed = await send({ hardware_id: 'SAME', site_id: otherSite, name: 'Two' });
    assert.equal(renamed.body.name, 'Two');
    const wrong = await send({ hardware_id: 'SAME', site_id: otherSite, ders: [{ name: 'pv', type: 'battery' }] });
    assert.equal(wrong.status, 409);
  });

  test('null is the same as leaving a field out', async () => {
    const nothing = { name: null, manufacturer: null, model: null, ders: null };
    const { status, body } = await send({ hardware_id: 'BARE', ...nothing });
    assert.deepEqual([status, body.name, body.manufacturer, body.model, body.ders], [201, 'BARE', null, null, []]);
    await send({ hardware_id: 'BARE', name: 'Roof', manufacturer: 'Sungrow', ders: [{ name: 'pv', type: 'pv' }] });
    const again = await send({ hardware_id: 'BARE', ...nothing });
    assert.deepEqual([again.status, again.body.name, again.body.manufacturer], [200, 'Roof', 'Sungrow']);
    assert.equal(again.body.ders.length, 1);
  });

  for (const { says, model, name } of [
    { says: 'its model', model: ' SH10RT ', name: 'SH10RT' },
    { says: 'its hardware when the model is empty', model: '' },
    { says: 'its hardware when the model is blank', model: '  ' },
    { says: 'its hardware when nothing else is known', model: undefined },
  ]) {
    test(`a device without a name is called after ${says}`, async () => {
      const { body } = await send({ model });
      assert.equal(body.name, name ?? body.hardware_id);
    });
  }

  for (const { id, allowed_der_types } of publicDeviceTypes) {
    for (const type of ['solar', 'battery', 'meter', 'ev_charger_port', 'load'] as const) {
      const isAllowed = allowed_der_types.includes(type);
      test(`a device of type ${id} ${isAllowed ? 'may' : 'may not'} have a DER of type ${type}`, async () => {
        const { status } = await send({ device_type: id, ders: [{ name: 'x', type }] });
        assert.equal(status, isAllowed ? 201 : 422);
      });
    }
  }

  for (const { given, ders, emitted } of [
    { given: 'meter', ders: [{ name: 'm', type: 'meter' }], emitted: ['meter', 'meter'] },
    { given: 'meter', ders: [{ name: 'm', type: 'load' }], emitted: ['meter', 'load'] },
    { given: 'charger', ders: [{ name: 'p', type: 'ev' }], emitted: ['ev_charger', 'ev_charger_port'] },
    { given: 'v2x_charger', ders: [{ name: 'p', type: 'v2x_charger' }], emitted: ['v2x_charger', 'ev_charger_port'] },
    { given: 'ev_charger', ders: [{ name: 'p', type: 'ev_port' }], emitted: ['ev_charger', 'ev_charger_port'] },
    { given: 'inverter', ders: [{ name: 'p', type: 'pv' }], emitted: ['inverter', 'solar'] },
  ]) {
    test(`${given} with ${ders[0]!.type} is ${emitted.join(' with ')}`, async () => {
      const { body } = await send({ device_type: given, ders });
      assert.deepEqual([body.device_type, body.ders[0].type], emitted);
    });
  }

  test('a sub-meter stays one whatever DERs it has', async () => {
    const known = { hardware_id: 'SUB-1', device_type: 'meter' };
    assert.equal((await send({ ...known, ders: [{ name: 'pump', type: 'load' }] })).status, 201);
    for (const ders of [undefined, [], [{ name: 'total', type: 'meter' }]]) {
      const { status, body } = await send({ ...known, ders });
      assert.deepEqual([status, body.device_type, body.type], [200, 'meter', 'meter']);
    }
  });

  test('a device of type meter without DERs is kept as meter, in every view of it', async () => {
    const { status, body } = await send({ hardware_id: 'SUB-2', device_type: 'meter', ders: [] });
    assert.deepEqual([status, body.device_type], [201, 'meter']);
    const shown = await cloud.call('GET', `/devices/${body.id}`, { as: ada });
    assert.deepEqual([shown.body.type, shown.body.device_type], ['meter', 'meter']);
  });

  test('hardware ids that read the same in topics are a conflict', async () => {
    assert.equal((await send({ hardware_id: 'A:1' })).status, 201);
    assert.equal((await send({ hardware_id: 'A.1' })).status, 409);
    assert.equal((await send({ hardware_id: 'A:1' })).status, 200);
  });

  test('a gateway that is not there, not visible or of another organization of mine', async () => {
    const bob = await cloud.person();
    const foreign = await cloud.claim(bob, await cloud.organization(bob));
    const missing = await send({ gateway_serial: 'ohm-missing' });
    const hidden = await send({ gateway_serial: foreign.serial });
    assert.equal(missing.status, 404);
    assert.deepEqual({ ...hidden.body, request_id: '' }, { ...missing.body, request_id: '' });
    const second = await cloud.organization(ada);
    const elsewhere = await cloud.claim(ada, second);
    assert.equal((await send({ gateway_serial: elsewhere.serial })).status, 409);
    const foreignSite = await cloud.site(bob, await cloud.organization(bob));
    assert.equal((await send({ site_id: foreignSite })).status, 404);
  });

  test('a DER is added by name once, of a type the device may have', async () => {
    const { body } = await send({ ders: [{ name: 'pv', type: 'solar' }] });
    const add = (name: string, type: string) =>
      cloud.call('POST', `/devices/${body.id}/ders`, { as: ada, body: { name, type } });
    assert.equal((await add('bat', 'battery')).status, 201);
    assert.equal((await add('pv', 'solar')).status, 409);
    assert.equal((await add('car', 'ev')).status, 422);
    assert.equal((await add('car', 'spaceship')).status, 422);
    assert.equal((await add('a\nb', 'battery')).status, 400);
    assert.equal((await add('', 'battery')).status, 400);
  });

  test('released and claimed again, the device is orphaned until it is provisioned again', async () => {
    const gateway = await cloud.claim(ada, org);
    const device = await cloud.provision(ada, site, gateway.serial);
    cloud.clock.advance(1000);
    await cloud.call('DELETE', `/gateways/${gateway.serial}`, { as: ada });
    const state = async () => (await cloud.call('GET', `/devices/${device.id}`, { as: ada })).body.state;
    assert.equal(await state(), 'orphaned');
    await cloud.claim(ada, org, gateway);
    assert.equal(await state(), 'orphaned');
    const anew = await cloud.provision(ada, site, gateway.serial);
    assert.equal(anew.id, device.id);
    assert.equal(await state(), 'active');
  });

  test('a device is renamed, deleted, and created again without its history', async () => {
    const { body } = await send({ hardware_id: 'GONE' });
    const renamed = await cloud.call('PUT', `/devices/${body.id}`, { as: ada, body: { name: 'Garage' } });
    assert.equal(renamed.body.name, 'Garage');
    assert.equal((await cloud.call('DELETE', `/devices/${body.id}`, { as: ada })).status, 204);
    assert.equal((await cloud.call('DELETE', `/devices/${body.id}`, { as: ada })).status, 404);
    const anew = await send({ hardware_id: 'GONE' });
    assert.equal(anew.status, 201);
    assert.notEqual(anew.body.id, body.id);
  });

  test('a DER has any printable name of 1 to 64 characters', async () => {
    const names = ['Västra taket, 10 kW', '☀️ söder', 'a/b+c#', '"<b>', 'x'.repeat(64), '  two  spaces'];
    const ders = names.map((name) => ({ name, type: 'solar' }));
    const { status, body } = await send({ hardware_id: 'NAMES', ders });
    assert.equal(status, 201);
    assert.deepEqual(body.ders.map(({ name }: { name: string }) => name).sort(), names.sort());
    for (const name of ['', '   ', 'x'.repeat(65), 'a\nb', 'a\u0000', '\ud800', 'a\u2028b']) {
      const refused = await send({ hardware_id: 'BAD', ders: [{ name, type: 'solar' }] });
      assert.deepEqual(
        [refused.status, refused.body.errors?.[0].path],
        [400, 'body.ders.0.name'],
        JSON.stringify(name),
      );
    }
  });

  test('two DER names that are the same in topics are a conflict', async () => {
    const der = (name: string) => ({ name, type: 'solar' });
    const both = await send({ hardware_id: 'ALIKE', ders: [der('Roof 1'), der('Roof.1')] });
    assert.deepEqual([both.status, both.body.error], [409, 'conflict']);
    const { body } = await send({ hardware_id: 'ALIKE', ders: [der('Roof 1')] });
    for (const name of ['Roof 1', 'Roof_1', 'Roof/1']) {
      const again = await cloud.call('POST', `/devices/${body.id}/ders`, { as: ada, body: der(name) });
      assert.deepEqual([again.status, again.body.error], [409, 'conflict'], name);
    }
    assert.equal((await send({ hardware_id: 'ALIKE', ders: [der('Roof 1')] })).status, 200);
    assert.equal((await send({ hardware_id: 'ALIKE', ders: [der('Roof:1')] })).status, 409);
  });

  test('two simultaneous requests for the same device create one', async () => {
    for (let round = 0; round < 10; round++) {
      const body = { hardware_id: `RACE-${round}`, ders: [{ name: 'pv', type: 'solar' }] };
      const replies = await Promise.all([send(body), send(body), send(body)]);
      assert.deepEqual(replies.map(({ status }) => String(status)).sort(), ['200', '200', '201']);
      assert.equal(new Set(replies.map((reply) => reply.body.id)).size, 1);
      assert.equal(new Set(replies.map((reply) => reply.body.ders[0].id)).size, 1);
    }
  });
});
