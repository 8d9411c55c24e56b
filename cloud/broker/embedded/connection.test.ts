import assert from 'node:assert/strict';
import { Duplex } from 'node:stream';
import { test } from 'node:test';
import { Aedes } from 'aedes';
import type { BrokerClient } from '../transport.ts';
import { BrokerConnection, createOwners, keepsPace } from './connection.ts';

const limits = { messagesPerSecond: 2000, connectionsPerGateway: 2, connectionsPerMember: 2 };
const gateway: BrokerClient = { kind: 'gateway', serial: 'gw-1' };

function connectionOf(clientId: string): BrokerConnection {
  const stream = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
  const connection = new BrokerConnection({
    mqtt: new Aedes({ connectTimeout: 1 }).handle(stream),
    stream,
    address: '',
    expiresAt: 0,
    maxUnstored: 1,
  });
  return Object.assign(connection, { clientId });
}

test('a gateway without connections is forgotten once its rate limit has recovered and its messages are stored', () => {
  const owners = createOwners(limits, () => {});
  const connection = connectionOf('gw-1');
  const owner = owners.enter(connection, gateway)!;
  connection.owner = owner;
  Object.assign(owner, { dueAt: 5000, unstored: 1 });
  owners.forgetIdle(9000);
  assert.equal(owners.count(), 1, 'it has a connection');
  owners.leave(connection);
  owners.forgetIdle(9000);
  assert.equal(owners.count(), 1, 'a message is not stored yet');
  owner.unstored = 0;
  owners.forgetIdle(4999);
  assert.equal(owners.count(), 1, 'a message would still have to wait');
  owners.forgetIdle(5000);
  assert.equal(owners.count(), 0);
});

test('a gateway that returns in time finds its rate limit as it was', () => {
  const owners = createOwners(limits, () => {});
  const [first, second] = [connectionOf('gw-1'), connectionOf('gw-1')];
  first.owner = owners.enter(first, gateway)!;
  first.owner.dueAt = 5000;
  owners.leave(first);
  second.owner = owners.enter(second, gateway);
  owners.forgetIdle(9000);
  assert.equal(second.owner, first.owner);
  assert.equal(owners.count(), 1);
});

for (const count of [2, 4])
  test(`the publish rate of a gateway that sends to ${count} processes holds for all of them together`, () => {
    const { messagesPerSecond } = limits;
    let now = 0;
    const processes = Array.from({ length: count }, () => {
      const owners = createOwners(limits, (name, weight) => {
        for (const other of processes) if (other.owners !== owners) other.owners.spend(name, weight, now);
      });
      const connection = connectionOf('gw-1');
      return { owners, owner: owners.enter(connection, gateway)! };
    });
    let accepted = 0;
    for (; now < 10_000; now++) {
      for (const { owner } of processes) if (keepsPace(owner, 1, messagesPerSecond, now)) accepted++;
    }
    const allowed = messagesPerSecond * 11; // with a burst of a second
    assert.ok(accepted >= 0.8 * Math.min(allowed, count * 10_000), `${accepted} of ${allowed}`);
    assert.ok(accepted <= 1.2 * allowed, `${accepted} of ${allowed}`);
  });
