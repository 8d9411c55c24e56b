import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closeInTime, shutdownMs } from './keep-running.ts';

for (const { says, close, told } of [
  { says: 'in time is silent', close: async () => {}, told: [] },
  { says: 'fails is logged', close: () => Promise.reject(new Error('No.')), told: ['No.'] },
  {
    says: 'never ends is logged and abandoned',
    close: () => Promise.withResolvers<void>().promise,
    told: [`Closing took longer than ${shutdownMs} ms.`],
  },
]) {
  test(`a program that leaves and whose close ${says}`, async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const errors: string[] = [];
    const log = { error: ({ err }: { err: Error }) => void errors.push(err.message) };
    const closed = closeInTime({ close, log });
    t.mock.timers.tick(shutdownMs);
    await closed;
    assert.deepEqual(errors, told);
  });
}
