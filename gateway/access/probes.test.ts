import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createFakeClock } from '#test/fake-clock.ts';
import { createProbes } from './probes.ts';

suite('probes', () => {
  const done = async () => 'done';

  test('are ten a minute, failed ones included', async () => {
    const clock = createFakeClock(0);
    const probes = createProbes(clock);
    for (let i = 0; i < 5; i++) {
      assert.equal(await probes.run(done), 'done');
      await assert.rejects(
        probes.run(() => Promise.reject(new Error('no route'))),
        /no route/,
      );
    }
    await assert.rejects(probes.run(done), { code: 'rate_limited', details: { retryAfterSeconds: 6 } });
    clock.advance(6000);
    assert.equal(await probes.run(done), 'done');
  });

  test('run two at a time', async () => {
    const probes = createProbes(createFakeClock(0));
    const waiting = Promise.withResolvers<string>();
    const running = [probes.run(() => waiting.promise), probes.run(() => waiting.promise)];
    await assert.rejects(probes.run(done), { code: 'rate_limited' });
    waiting.resolve('open');
    assert.deepEqual(await Promise.all(running), ['open', 'open']);
    assert.equal(await probes.run(done), 'done');
  });
});
