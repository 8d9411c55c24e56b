import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sendInOrder } from './send-in-order.ts';

type Change = { clouds?: number; hour?: number };

/** Takes changes, and answers each when told. */
function slowServer() {
  const sent: Change[] = [];
  let answers = Promise.withResolvers<void>();
  const choose = sendInOrder((change: Change) => {
    sent.push(change);
    answers = Promise.withResolvers<void>();
    return answers.promise;
  });
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return {
    sent,
    choose,
    async answer() {
      answers.resolve();
      await settle();
    },
    async refuse(reason: Error) {
      answers.reject(reason);
      await settle();
    },
  };
}

test('changes made during a request are merged into the next one', async () => {
  const { sent, choose, answer } = slowServer();
  const all = [choose({ clouds: 0.1 }), choose({ clouds: 0.5 }), choose({ hour: 12 }), choose({ clouds: 0.9 })];
  assert.deepEqual(sent, [{ clouds: 0.1 }]);
  await answer();
  assert.deepEqual(sent, [{ clouds: 0.1 }, { clouds: 0.9, hour: 12 }]);
  await answer();
  await Promise.all(all);
  assert.equal(sent.length, 2);
});

test('a change after the last response is sent on its own', async () => {
  const { sent, choose, answer } = slowServer();
  void choose({ clouds: 0.1 });
  await answer();
  void choose({ hour: 6 });
  assert.deepEqual(sent, [{ clouds: 0.1 }, { hour: 6 }]);
});

test('a rejected change is reported and does not block later ones', async () => {
  const { sent, choose, answer, refuse } = slowServer();
  const refused = assert.rejects(choose({ clouds: 7 }), /cloudy/);
  void choose({ clouds: 0.2 }).catch(() => {});
  await refuse(new Error('too cloudy'));
  assert.deepEqual(sent, [{ clouds: 7 }, { clouds: 0.2 }]);
  await answer();
  await refused;
});
