import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { postgresMissing } from '#test/services/postgres.ts';
import { until } from '#test/until.ts';
import type { TelemetryStore } from '../telemetry-store.ts';
import { rawOf } from '../testing/answers.ts';
import { tryKill } from '../testing/interrupted-move.ts';
import { answersOf, ders, fillHistory, now, openTwoServers, partitions, sampleOf } from '../testing/two-servers.ts';
import { movePartition } from './move.ts';

const part = 1;
const moved = ders.filter((der) => der % partitions === part);
const killedAt = ['insert into telemetry_hot', 'rename to telemetry_leaving', 'server = $3'];
const quietly = { signal: new AbortController().signal, onProgress: () => {} };

/** Returns the numbers of the readings of a DER since the history. */
const numbersOf = async (store: TelemetryStore, der: number): Promise<unknown[]> =>
  (await rawOf(store, der, now, now + 1e9)).map(({ values }) => values.n);

suite('moving a partition', { skip: postgresMissing() }, () => {
  test('loses no reading and repeats none, while others write and read, and history stays the same', async (t) => {
    const servers = await openTwoServers(t);
    const [writer, reader] = [await servers.open(), await servers.open()];
    await fillHistory(writer);
    const before = await answersOf(writer);
    let acknowledged = 0;
    const over = new AbortController();
    const write = async (): Promise<void> => {
      for (let n = 0; !over.signal.aborted; n++) {
        await writer.append(ders.map((der) => sampleOf(der, n)));
        acknowledged = n + 1;
        await sleep(2);
      }
    };
    let answers = 0;
    const read = async (): Promise<void> => {
      for (; !over.signal.aborted; answers++) {
        const atLeast = acknowledged;
        const numbers = await numbersOf(reader, moved[answers % moved.length]!);
        assert.ok(numbers.length >= atLeast, `${numbers.length} of ${atLeast} acknowledged readings were found`);
        assert.deepEqual(numbers, [...numbers.keys()]);
        const newest = (await reader.latest(moved)).get(moved[0]!)?.at ?? 0;
        assert.ok(newest >= now + (atLeast - 1) * 1000, 'the latest reading');
      }
    };
    const seal = async (): Promise<void> => {
      for (let minute = 1; !over.signal.aborted; minute++) {
        await reader.seal(now + minute * 60_000);
        await sleep(20);
      }
    };
    const movesOf = async (): Promise<void> => {
      const map = servers.partitionMap();
      for (const target of ['east', 'main', 'east']) {
        await movePartition(map, { part, target, ...quietly });
        const reached = acknowledged + 20;
        await until(() => acknowledged >= reached);
      }
      over.abort();
    };
    await Promise.all([movesOf(), write(), read(), seal()].map((work) => work.finally(() => over.abort())));
    for (const store of [writer, reader]) {
      assert.deepEqual(await answersOf(store), before);
      for (const der of ders) assert.deepEqual(await numbersOf(store, der), [...Array(acknowledged).keys()]);
    }
    assert.ok(acknowledged > 60 && answers > 5, `${acknowledged} readings, ${answers} answers`);
    assert.equal(reader.serverOf(moved[0]!), 'east');
  });

  test('a process that has not heard of a move writes and reads where the partition is now', async (t) => {
    const servers = await openTwoServers(t);
    const [informed, late] = [await servers.open(), await servers.open()];
    await fillHistory(informed);
    await late.append(ders.map((der) => sampleOf(der, 0)));
    const before = await answersOf(late);
    await movePartition(servers.partitionMap(), { part, target: 'east', ...quietly });
    await late.append(ders.map((der) => sampleOf(der, 1)));
    for (const der of ders) assert.deepEqual(await numbersOf(informed, der), [0, 1]);
    await informed.append(ders.map((der) => sampleOf(der, 2)));
    await movePartition(servers.partitionMap(), { part, target: 'main', ...quietly });
    assert.deepEqual(await answersOf(late), before);
    for (const der of ders) assert.deepEqual(await numbersOf(late, der), [0, 1, 2]);
    assert.equal(await late.erase([moved[0]!]), true);
    assert.deepEqual(await numbersOf(informed, moved[0]!), []);
  });

  test('can be killed: the partition accepts readings, has all of them, and can be moved again', async (t) => {
    const servers = await openTwoServers(t);
    const store = await servers.open();
    await fillHistory(store);
    let next = 0;
    for (const [i, statement] of killedAt.entries()) {
      const target = store.serverOf(part) === 'east' ? 'main' : 'east';
      const outcome = await tryKill(servers, store, { part, target, statement, isSent: i % 2 === 0 }, next);
      assert.equal(outcome.isComplete, false);
      ({ next } = outcome);
    }
    const map = servers.partitionMap();
    await map.refresh();
    const target = map.serverOf(part).name === 'east' ? 'main' : 'east';
    await movePartition(map, { part, target, ...quietly });
    const { moving_to, is_fenced, leftovers_on } = map.find(part);
    assert.deepEqual([moving_to, is_fenced, leftovers_on], [null, false, null]);
    for (const der of ders) assert.deepEqual(await numbersOf(store, der), [...Array(next).keys()]);
  });

  test('is refused to the same server, to an unknown one, and while another process moves it', async (t) => {
    const servers = await openTwoServers(t);
    const store = await servers.open();
    await fillHistory(store);
    const map = servers.partitionMap();
    await assert.rejects(movePartition(map, { part, target: 'main', ...quietly }), /already on the server main/);
    await assert.rejects(movePartition(map, { part, target: 'west', ...quietly }), /TELEMETRY_URLS does not name/);
    await assert.rejects(
      movePartition(map, { part: 2, target: 'east', ...quietly }),
      /Partition 2 does not exist; the last is 1/,
    );
    const both = [map, servers.partitionMap()].map((each) => movePartition(each, { part, target: 'east', ...quietly }));
    const outcomes = await Promise.allSettled(both);
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? String(outcome.reason) : []));
    assert.match(reasons.join(), /Another process has moved partition 1|already on the server east/);
  });
});
