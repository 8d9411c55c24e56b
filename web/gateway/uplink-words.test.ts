import assert from 'node:assert/strict';
import { test } from 'node:test';
import { uplinkState } from './uplink-words.ts';

const broker = 'mqtts://platform.example:8883';

for (const { says, uplink, arrival } of [
  {
    says: 'a connected uplink without waiting samples is up to date',
    uplink: { connected: true, broker, waiting: 0 },
    arrival: 'sent',
  },
  { says: 'samples in flight count as sent', uplink: { connected: true, broker, waiting: 100 }, arrival: 'sent' },
  {
    says: 'more samples than can be in flight are waiting',
    uplink: { connected: true, broker, waiting: 101 },
    arrival: 'waiting',
  },
  {
    says: 'without a connection no sample is in flight',
    uplink: { connected: false, broker, waiting: 1 },
    arrival: 'waiting',
  },
  {
    says: 'everything was sent before the connection was lost',
    uplink: { connected: false, broker, waiting: 0 },
    arrival: 'sent',
  },
  { says: 'without a broker nothing is sent', uplink: { connected: false, waiting: 5 }, arrival: 'none' },
] as const)
  test(says, () => assert.equal(uplinkState(uplink), arrival));
