import assert from 'node:assert/strict';
import { appendFile, type FileHandle, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { hourMs } from '#contract/time.ts';
import { createLog } from '#lib/log.ts';
import { createFakeClock } from '#test/fake-clock.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { openCommandLog } from './command-log.ts';

const silent = createLog({ level: 'silent', name: 'test' });

async function folderFor(t: TestContext): Promise<string> {
  const folder = temporaryFolder(t);
  return join(folder, 'commands.log');
}

const command = (id: string | undefined, issuedAt: number) => ({ id, issuedAt, subject: 'battery' as const });

test('the status of a command survives a restart for a day', async (t) => {
  const path = await folderFor(t);
  const clock = createFakeClock(1000 * hourMs);
  const first = await openCommandLog(path, clock, silent);
  await first.accept('inverter', command('one', 7));
  assert.deepEqual(first.find('one'), { status: 'queued' });
  await first.outcome('one', { status: 'failed', message: 'The device refused.' });
  await first.accept('inverter', command(undefined, 9));
  await first.close();

  clock.advance(23 * hourMs);
  const second = await openCommandLog(path, clock, silent);
  assert.deepEqual(second.find('one'), { status: 'failed', message: 'The device refused.' });
  assert.deepEqual([second.newest('inverter', 'battery'), second.newest('inverter', 'pv')], [9, undefined]);
  await second.close();

  clock.advance(hourMs);
  const third = await openCommandLog(path, clock, silent);
  assert.deepEqual([third.find('one'), third.newest('inverter', 'battery')], [undefined, undefined]);
  await third.close();
});

test('a command is on disk when it is accepted', async (t) => {
  const path = await folderFor(t);
  const log = await openCommandLog(path, createFakeClock(1000 * hourMs), silent);
  const probe = await open(path, 'r');
  const handles = Object.getPrototypeOf(probe) as FileHandle;
  await probe.close();
  const synced: string[] = [];
  const { datasync } = handles;
  t.mock.method(handles, 'datasync', async function watching(this: FileHandle): Promise<void> {
    synced.push(await readFile(path, 'utf8'));
    await datasync.call(this);
  });
  await log.accept('inverter', command('one', 7));
  assert.equal(synced.length, 1);
  assert.match(synced[0]!, /"id":"one"/);
  await log.close();
});

test('a line cut by a crash does not damage other lines', async (t) => {
  const path = await folderFor(t);
  const clock = createFakeClock(1000 * hourMs);
  const first = await openCommandLog(path, clock, silent);
  await first.accept('inverter', command('one', 7));
  await first.close();
  await appendFile(path, '{"at":3600000000,"id":"tw');
  const second = await openCommandLog(path, clock, silent);
  assert.deepEqual([second.find('one'), second.find('tw')], [{ status: 'queued' }, undefined]);
  await second.accept('inverter', command('three', 8));
  await second.close();
  const third = await openCommandLog(path, clock, silent);
  assert.deepEqual(third.find('three'), { status: 'queued' });
  await third.close();
});

test('the file and the memory stay small', async (t) => {
  const path = await folderFor(t);
  const clock = createFakeClock(1000 * hourMs);
  const log = await openCommandLog(path, clock, silent);
  await Promise.all(Array.from({ length: 9000 }, (_, index) => log.outcome(`command-${index}`, { status: 'applied' })));
  assert.deepEqual([log.find('command-0'), log.find('command-8999')], [undefined, { status: 'applied' }]);
  const lines = (await readFile(path, 'utf8')).split('\n').length;
  assert.ok(lines < 4000, `${lines} lines`);
  await log.close();
});

test('a log that cannot be shortened still accepts commands and logs one warning', async (t) => {
  const path = await folderFor(t);
  const warned: string[] = [];
  const destination = { write: (line: string) => void warned.push(line) };
  const clock = createFakeClock(1000 * hourMs);
  const log = await openCommandLog(path, clock, createLog({ level: 'warn', name: 'test', destination }));
  await mkdir(`${path}.tmp/in the way`, { recursive: true });
  await Promise.all(Array.from({ length: 8000 }, () => log.outcome('one', { status: 'applied' })));
  await log.accept('inverter', command('two', 7));
  assert.match(await readFile(path, 'utf8'), /"id":"two"/);
  await rm(`${path}.tmp`, { recursive: true });
  await log.accept('inverter', command('three', 8));
  await log.close();
  assert.equal(warned.length, 1);
  const kept = (await readFile(path, 'utf8')).trim().split('\n');
  assert.ok(kept.length < 10, `the log was not shortened once that was possible: ${kept.length} lines`);
});

test('a command that could not be stored is accepted when it is sent again', async (t) => {
  const path = await folderFor(t);
  const log = await openCommandLog(path, createFakeClock(1000 * hourMs), silent);
  const probe = await open(path, 'r');
  const handles = Object.getPrototypeOf(probe) as FileHandle;
  await probe.close();
  await log.accept('inverter', command('zero', 7));
  const full = t.mock.method(handles, 'appendFile', async () => {
    throw new Error('ENOSPC');
  });
  const accepting = log.accept('inverter', command('one', 9));
  assert.deepEqual(log.find('one'), { status: 'queued' }, 'a duplicate in the meantime is recognised');
  await assert.rejects(accepting, /ENOSPC/);
  assert.equal(log.find('one'), undefined);
  full.mock.restore();
  await log.accept('inverter', command('one', 9));
  assert.deepEqual(log.find('one'), { status: 'queued' });
  await log.close();
});

test('an issue time from a clock that was ahead does not count as the newest', async (t) => {
  const path = await folderFor(t);
  const clock = createFakeClock(1000 * hourMs);
  const ahead = await openCommandLog(path, clock, silent);
  await ahead.accept('inverter', command('ahead', clock.now() + 5 * hourMs));
  assert.equal(ahead.newest('inverter', 'battery'), undefined);
  await ahead.accept('inverter', command('right', clock.now()));
  assert.equal(ahead.newest('inverter', 'battery'), clock.now());
  await ahead.close();
  const again = await openCommandLog(path, clock, silent);
  assert.equal(again.newest('inverter', 'battery'), clock.now());
  await again.close();
});

test('a log that cannot be rewritten can be opened and appended to', async (t) => {
  const path = await folderFor(t);
  const clock = createFakeClock(1000 * hourMs);
  const first = await openCommandLog(path, clock, silent);
  await first.accept('inverter', command('one', 7));
  await first.close();
  await mkdir(`${path}.tmp/in the way`, { recursive: true });
  const second = await openCommandLog(path, clock, silent);
  assert.deepEqual(second.find('one'), { status: 'queued' });
  await second.accept('inverter', command('two', 8));
  await second.close();
  const third = await openCommandLog(path, clock, silent);
  assert.deepEqual([third.find('one'), third.find('two')], [{ status: 'queued' }, { status: 'queued' }]);
  await third.close();
});
