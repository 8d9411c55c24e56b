import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createFakeClock } from '#test/fake-clock.ts';
import { addressKey, createRateLimiter } from './rate-limit.ts';

function limiterOf({ limit = 3, windowMs = 60_000, maxKeys = 1000 } = {}) {
  const clock = createFakeClock(Date.UTC(2026, 0, 1));
  return { clock, limiter: createRateLimiter({ limit, windowMs, clock, maxKeys }) };
}

test('a burst up to the limit is allowed, and the next call gets a retry time', () => {
  const { limiter } = limiterOf();
  assert.deepEqual(limiter.take('a'), { allowed: true, remaining: 2, resetSeconds: 20, retryAfterSeconds: 0 });
  assert.deepEqual(limiter.take('a'), { allowed: true, remaining: 1, resetSeconds: 40, retryAfterSeconds: 0 });
  assert.deepEqual(limiter.take('a'), { allowed: true, remaining: 0, resetSeconds: 60, retryAfterSeconds: 0 });
  assert.deepEqual(limiter.take('a'), { allowed: false, remaining: 0, resetSeconds: 60, retryAfterSeconds: 20 });
});

test('one caller does not use up the calls of another', () => {
  const { limiter } = limiterOf({ limit: 1 });
  limiter.take('a');
  assert.equal(limiter.take('a').allowed, false);
  assert.equal(limiter.take('b').allowed, true);
});

test('the budget is refilled evenly over the window', () => {
  const { limiter, clock } = limiterOf();
  for (let i = 0; i < 3; i++) limiter.take('a');
  clock.advance(19_999);
  assert.equal(limiter.take('a').allowed, false);
  clock.advance(1);
  assert.equal(limiter.take('a').allowed, true);
  assert.equal(limiter.take('a').allowed, false);
});

test('a clock that steps back neither gives nor takes calls', () => {
  const { limiter, clock } = limiterOf();
  limiter.take('a');
  clock.advance(-3_600_000);
  assert.equal(limiter.take('a').remaining, 1);
});

test('a retry at the announced time is allowed, and no period gets more than a burst and its refill', () => {
  const settings = { limit: fc.integer({ min: 1, max: 50 }), windowMs: fc.integer({ min: 1000, max: 90_000 }) };
  const waits = fc.array(fc.integer({ min: 0, max: 5000 }), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(fc.record(settings), waits, ({ limit, windowMs }, waitsMs) => {
      const { limiter, clock } = limiterOf({ limit, windowMs });
      const startMs = clock.now();
      let allowed = 0;
      for (const waitMs of waitsMs) {
        clock.advance(waitMs);
        const taken = limiter.take('a');
        if (taken.allowed) allowed += 1;
        assert.ok(allowed <= limit + ((clock.now() - startMs) * limit) / windowMs + 1e-6);
        if (taken.allowed) continue;
        clock.advance(taken.retryAfterSeconds * 1000);
        assert.equal(limiter.take('a').allowed, true);
        allowed += 1;
      }
    }),
  );
});

test('a caller in use is remembered through a flood of others, an idle one is forgotten', () => {
  const { limiter } = limiterOf({ limit: 1, maxKeys: 10 });
  limiter.take('busy');
  limiter.take('idle');
  for (let i = 0; i < 50; i++) {
    limiter.take(`other ${i}`);
    assert.equal(limiter.take('busy').allowed, false);
  }
  assert.equal(limiter.take('idle').allowed, true);
});

test('an exhausted caller is remembered until its budget is full again', () => {
  const { limiter, clock } = limiterOf({ limit: 2, windowMs: 1000 });
  clock.advance(999);
  limiter.take('a');
  limiter.take('a');
  clock.advance(2);
  limiter.take('b'); // a new window begins here
  assert.equal(limiter.take('a').allowed, false);
});

for (const { ip, key } of [
  { ip: '192.0.2.7', key: '192.0.2.7' },
  { ip: '::ffff:192.0.2.7', key: '192.0.2.7' },
  { ip: '::FFFF:c000:207', key: '192.0.2.7' },
  { ip: '0:0:0:0:0:ffff:192.0.2.7', key: '192.0.2.7' },
  { ip: '2001:db8:1:2:3:4:5:6', key: '2001:db8:1:2::/64' },
  { ip: '2001:0DB8:0001:0002::9', key: '2001:db8:1:2::/64' },
  { ip: '2001:db8::9', key: '2001:db8:0:0::/64' },
  { ip: '::1', key: '0:0:0:0::/64' },
  { ip: '::', key: '0:0:0:0::/64' },
  { ip: 'fe80::1%eth0', key: 'fe80:0:0:0::/64' },
  { ip: '64:ff9b::192.0.2.7', key: '64:ff9b:0:0::/64' },
  { ip: 'not an address', key: 'not an address' },
]) {
  test(`${ip} is limited as ${key}`, () => assert.equal(addressKey(ip), key));
}

test('two addresses share a key exactly when their first 64 bits agree', () => {
  const groups = fc.array(fc.integer({ min: 0x1000, max: 0xffff }), { minLength: 4, maxLength: 4 });
  const addressOf = (parts: number[]): string => parts.map((part) => part.toString(16)).join(':');
  fc.assert(
    fc.property(groups, groups, groups, (network, host, other) => {
      const key = addressKey(addressOf([...network, ...host]));
      assert.equal(addressKey(addressOf([...network, ...other])), key);
      assert.equal(addressKey(addressOf([...other, ...host])) === key, addressOf(other) === addressOf(network));
    }),
  );
});

for (const count of [2, 4])
  test(`a budget that ${count} processes share is exceeded by less than a fifth, in a burst and afterwards`, () => {
    const clock = createFakeClock(Date.UTC(2026, 0, 1));
    const limit = 600;
    const limiters = Array.from({ length: count }, () => {
      const own = createRateLimiter({
        limit,
        windowMs: 60_000,
        clock,
        maxKeys: 1000,
        report: (key, calls) => {
          for (const other of limiters) if (other !== own) other.spend(key, calls);
        },
      });
      return own;
    });
    const burst = (): number => {
      let allowed = 0;
      for (let round = 0; round < limit; round++) for (const own of limiters) if (own.take('ada').allowed) allowed++;
      return allowed;
    };
    const first = burst();
    assert.ok(first >= limit * 0.8 && first <= limit * 1.2, `${first} at once`);
    let later = 0;
    for (let second = 0; second < 120; second++) {
      clock.advance(1000);
      for (let round = 0; round < 20; round++) for (const own of limiters) if (own.take('ada').allowed) later++;
    }
    assert.ok(later >= 2 * limit * 0.8 && later <= 2 * limit * 1.2, `${later} in two minutes`);
  });

test('a caller far below its limit is not reported', () => {
  const clock = createFakeClock(Date.UTC(2026, 0, 1));
  const reports: number[] = [];
  const report = (_: string, calls: number): void => void reports.push(calls);
  const limiter = createRateLimiter({ limit: 600, windowMs: 60_000, clock, maxKeys: 1000, report });
  for (let second = 0; second < 600; second++, clock.advance(3000)) limiter.take('ada');
  assert.deepEqual(reports, []);
});
