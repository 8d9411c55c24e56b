import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Client } from '#contract/client.ts';
import { addDevice, listDevices } from '#contract/gateway/devices.ts';
import { Problem } from '#contract/problem.ts';
import type { Route } from '#contract/route.ts';
import type { Player } from '#sim/roles.ts';
import { connectDevices } from './home.ts';
import { demoDevices } from './house.ts';

/** A gateway to which adding a device fails so often, by one of its answers. */
function slowGateway(failures: number, problem: Problem) {
  let [asked, added] = [0, 0];
  const call = async (route: Route): Promise<unknown> => {
    if (route === listDevices) return { devices: [], count: 0 };
    if (route !== addDevice) return {};
    if (asked++ < failures) throw problem;
    return { sn: String(added++) };
  };
  return { client: { call } as unknown as Client, added: () => added, asked: () => asked };
}

const players = new Map(
  demoDevices.map(({ player }) => [player, { connection: { type: 'mqtt' } } as unknown as Player]),
);
const late = new Problem('device_unreachable', 'Unit 1 did not answer within 1000 ms.');

test('a device of the home that answers late is asked again', async () => {
  const gateway = slowGateway(2, late);
  await connectDevices(gateway.client, players, true);
  assert.deepEqual([gateway.added(), gateway.asked()], [demoDevices.length, demoDevices.length + 2]);
});

test('one that is refused is not', async () => {
  const gateway = slowGateway(Number.POSITIVE_INFINITY, new Problem('invalid_request', 'No such profile.'));
  await assert.rejects(connectDevices(gateway.client, players, true), /No such profile/);
  assert.equal(gateway.asked(), demoDevices.length);
});
