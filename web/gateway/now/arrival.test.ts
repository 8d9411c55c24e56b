import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arrivalOf } from './arrival.ts';

const broker = 'mqtts://platform.example:8883';

for (const { says, uplink, arrival } of [
  { says: 'everything arrives', uplink: { connected: true, broker, waiting: 0 }, arrival: 'sent' },
  { says: 'what is on its way counts as arrived', uplink: { connected: true, broker, waiting: 100 }, arrival: 'sent' },
  { says: 'more than that waits', uplink: { connected: true, broker, waiting: 101 }, arrival: 'waiting' },
  {
    says: 'nothing is on its way without a connection',
    uplink: { connected: false, broker, waiting: 1 },
    arrival: 'waiting',
  },
  {
    says: 'all had arrived when the connection was lost',
    uplink: { connected: false, broker, waiting: 0 },
    arrival: 'sent',
  },
  { says: 'there is nowhere to send to', uplink: { connected: false, waiting: 5 }, arrival: 'none' },
] as const)
  test(says, () => assert.equal(arrivalOf(uplink), arrival));
