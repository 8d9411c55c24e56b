import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Client } from '#contract/client.ts';
import { addDevice, listDevices } from '#contract/gateway/devices.ts';
import { Problem } from '#contract/problem.ts';
import type { Route } from '#contract/route.ts';
import type { StreetDevice } from '#sim/endpoints.ts';
import { connectDevices } from './home.ts';
import { demoDevices } from './house.ts';

/** A gateway that refuses to add a device a number of times. */
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
  demoDevices.map(({ player }) => [player, { connection: { type: 'mqtt' } } as unknown as StreetDevice]),
);
const late = new Problem('device_unreachable', 'Unit 1 did not answer within 1000 ms.');

test('adding a device that answers late is repeated', async () => {
  const gateway = slowGateway(2, late);
  await connectDevices(gateway.client, players, true);
  assert.deepEqual([gateway.added(), gateway.asked()], [demoDevices.length, demoDevices.length + 2]);
});

test('adding a device that is refused is not repeated', async () => {
  const gateway = slowGateway(Number.POSITIVE_INFINITY, new Problem('invalid_request', 'No such profile.'));
  await assert.rejects(connectDevices(gateway.client, players, true), /No such profile/);
  assert.equal(gateway.asked(), demoDevices.length);
});
