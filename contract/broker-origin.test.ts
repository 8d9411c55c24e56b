import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brokerOrigin } from './broker-origin.ts';

for (const [url, origin] of [
  ['mqtt://localhost', 'mqtt://localhost:1883'],
  ['mqtts://Broker.Example.org.:8883/', 'mqtts://broker.example.org:8883'],
  ['ws://broker.local:80/mqtt', 'ws://broker.local:80'],
  ['wss://broker.local', 'wss://broker.local:443'],
  ['mqtt://user:password@10.0.0.1:1884', 'mqtt://10.0.0.1:1884'],
  ['mqtt://[FE80::1]:1883', 'mqtt://[fe80::1]:1883'],
  ['https://broker.local', undefined],
  ['urn:ohmstead:1', undefined],
  ['mqtt://', undefined],
] as const) {
  test(`the origin of ${url} is ${origin}`, () => assert.equal(brokerOrigin(url), origin));
}
