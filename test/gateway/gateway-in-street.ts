import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before } from 'node:test';
import type { ConnectionRequest } from '#sim/endpoints.ts';
import { type Street, startStreet } from '#sim/street.ts';
import { fixedHouse } from '#sim/testing/fixed-house.ts';
import { openGateway } from './open-gateway.ts';

type Gateway = Awaited<ReturnType<typeof openGateway>>;

/** A gateway that can reach these devices of the simulated street, for all tests of a file. */
export function gatewayInStreet(only: readonly string[]) {
  let street: Street;
  let gateway: Gateway;
  before(async () => {
    street = await startStreet({ portBase: 0, only: [...only], house: fixedHouse({ pv_W: -2000, battery_W: 500 }) });
    gateway = await openGateway({ HARVEST_MS: '200' });
  });
  after(async () => {
    await gateway.close();
    await street.close();
  });
  const at = (name: string): ConnectionRequest => street.players.find((player) => player.name === name)!.connection;
  return {
    gateway: () => gateway,
    at,
    add: (name: string, changes: object = {}) => gateway.call('POST', '/api/devices', { ...at(name), ...changes }),
    list: async () => (await gateway.call('GET', '/api/devices')).body,
    /** Without files that are being written. */
    filesOf: (): string[] => readdirSync(join(gateway.folder, 'devices')).filter((file) => file.endsWith('.json')),
  };
}
