import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { amount } from '#test/amount.ts';
import { isFilter, isTopic, matches } from '../topic-filter.ts';
import { Subscriptions } from './subscriptions.ts';

const word = fc.constantFrom('a', 'b', 'c', '', '$a');
const topic = fc
  .array(word, { minLength: 1, maxLength: 4 })
  .map((levels) => levels.join('/'))
  .filter(isTopic);
const filter = fc
  .tuple(fc.array(fc.oneof(word, fc.constant('+')), { maxLength: 3 }), fc.constantFrom('a', 'b', '+', '#', ''))
  .map(([levels, last]) => [...levels, last].join('/'))
  .filter(isFilter);

function deliveredTo(subscriptions: Subscriptions, topic: string): number[] {
  const numbers: number[] = [];
  let isDone = false;
  subscriptions.emit(Object.assign({ topic }, { numbers }), () => {
    isDone = true;
  });
  assert.ok(isDone);
  return numbers.sort((a, b) => a - b);
}

test('a packet is delivered to the subscribers whose filter matches, while others come and go', () => {
  const steps = fc.array(fc.record({ filter, isRemoved: fc.boolean() }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(steps, fc.array(topic, { minLength: 1, maxLength: 10 }), (steps, topics) => {
      const subscriptions = new Subscriptions();
      const subscribers = steps.map(({ filter }, number) => ({
        filter,
        number,
        deliver: (packet: object, done: () => void): void => {
          (packet as { numbers: number[] }).numbers.push(number);
          done();
        },
      }));
      for (const { filter, deliver } of subscribers) subscriptions.on(filter, deliver);
      for (const { filter, deliver, number } of subscribers) {
        if (steps[number]?.isRemoved) subscriptions.removeListener(filter, deliver);
      }
      const left = subscribers.filter(({ number }) => !steps[number]?.isRemoved);
      for (const topic of topics) {
        const expected = left.filter(({ filter }) => matches(filter, topic)).map(({ number }) => number);
        assert.deepEqual(deliveredTo(subscriptions, topic), expected, topic);
      }
    }),
    { numRuns: amount(1000) },
  );
});

test('the call back waits for every subscriber, and a closed broker delivers nothing', () => {
  const subscriptions = new Subscriptions();
  const waiting: (() => void)[] = [];
  for (let count = 0; count < 2; count++) subscriptions.on('a/#', (_packet, done) => waiting.push(done));
  let answers: (Error | undefined)[] = [];
  const answer = (error?: Error): number => answers.push(error);
  subscriptions.emit({ topic: 'a/b' }, answer);
  waiting[0]?.();
  assert.deepEqual(answers, []);
  waiting[1]?.();
  assert.deepEqual(answers, [undefined]);
  answers = [];
  subscriptions.close(() => {});
  subscriptions.emit({ topic: 'a/b' }, answer);
  assert.ok(answers[0] instanceof Error);
  assert.equal(waiting.length, 2);
});
