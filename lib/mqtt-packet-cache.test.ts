import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { writeToStream } from 'mqtt-packet';
import './mqtt-packet-cache.ts';

const own = createRequire(import.meta.url);

for (const user of ['mqtt', 'aedes']) {
  test(`${user} does not cache numbers`, () => {
    const theirs = createRequire(own.resolve(user));
    assert.equal(theirs.resolve('mqtt-packet'), own.resolve('mqtt-packet'));
    assert.equal(writeToStream.cacheNumbers, false);
  });
}
