import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { verifyFiles } from '#lib/backup/manifest.ts';
import { createFakeClock } from '#test/fake-clock.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { until } from '#test/until.ts';
import { createMarkers } from '../control/control-journal.ts';
import { openIdentity } from '../identity/identity.ts';
import type { Sample } from '../uplink/outbox/segment.ts';
import { openTrial, readingsFrom } from '../uplink/outbox/testing/trial.ts';
import { backupGateway, type GatewayFiles, holdGateway, stageGateway } from './backup.ts';

const deps = {
  clock: createFakeClock(Date.parse('2026-06-01T12:00:00Z')),
  version: '1.2.3',
  signal: new AbortController().signal,
  onProgress: () => {},
};

async function scene(t: TestContext) {
  const folder = temporaryFolder(t);
  const place = (name: string): string => join(folder, name);
  await mkdir(place('data'), { mode: 0o700 });
  await openIdentity(place('data'), 'ohm');
  return { place, data: place('data'), copy: place('copy') };
}

const serialOf = async (dataDir: string): Promise<string> => (await openIdentity(dataDir, 'ohm')).serial;

async function restore(files: GatewayFiles, dataDir: string): Promise<string | undefined> {
  await using staged = await stageGateway(files, dataDir, deps);
  return await staged.put();
}

suite('the backup of a gateway', () => {
  test('contains every sample that was on disk when it began and queued when it ended', async (t) => {
    const gateway = await scene(t);
    const trial = await openTrial(join(gateway.data, 'outbox'), { segmentBytes: 2000 });
    const running = new AbortController();
    const acknowledged = new Set<number>();

    /** Files are finished and removed all the time: the platform acknowledges most samples a little later. */
    async function harvestAndSend(): Promise<void> {
      const sent: Sample[][] = [];
      for (let batch = 0; !running.signal.aborted; batch++) {
        sent.push(await trial.keep(readingsFrom(trial.clocks.clock.now(), 10)));
        const received = sent.length > 10 ? sent.shift()! : [];
        for (const { seq } of batch % 10 === 0 ? [] : received) {
          acknowledged.add(seq);
          trial.outbox.acknowledge([[seq, seq]]);
        }
      }
    }

    const work = harvestAndSend();
    let compared = 0;
    try {
      for (let round = 0; round < 6; round++) {
        await until(() => trial.safe.length > 200 + round * 100);
        const safe = trial.safe.map(({ seq }) => seq);
        const copy = gateway.place(`copy-${round}`);
        await backupGateway(gateway.data, copy, deps);
        const waiting = safe.filter((seq) => !acknowledged.has(seq));
        const again = await openTrial(join(copy, 'outbox'), {}, { clocks: trial.clocks });
        const found = new Set((await again.rest()).map(({ seq }) => seq));
        assert.deepEqual(
          waiting.filter((seq) => !found.has(seq)),
          [],
          `round ${round}`,
        );
        assert.equal(again.outbox.counts().dropped.damaged, undefined);
        await again.close();
        compared += waiting.length;
      }
      assert.ok(compared > 300 && acknowledged.size > 300, `${compared} compared, ${acknowledged.size} acknowledged`);
    } finally {
      running.abort();
      await work;
      await trial.close();
    }
  });

  test('gives another folder its identity and devices, and moves the former content aside', async (t) => {
    const gateway = await scene(t);
    const { data, copy } = gateway;
    await mkdir(join(data, 'devices'));
    await writeFile(join(data, 'devices', 'one.json'), '1');
    const { files } = await backupGateway(data, copy, deps);
    const serial = await serialOf(data);

    const other = gateway.place('other');
    const lock = await holdGateway(other);
    await mkdir(join(other, 'devices'));
    await writeFile(join(other, 'devices', 'two.json'), '2');
    const paths = files.map(({ path }) => path);
    const aside = await restore({ folder: copy, paths }, other);
    lock.release();
    assert.equal(await serialOf(other), serial);
    assert.deepEqual(await readdir(join(other, 'devices')), ['one.json']);
    assert.equal(aside, join(other, 'before-restore-2026-06-01T12-00-00-000Z'));
    assert.equal(await readFile(join(aside, 'devices', 'two.json'), 'utf8'), '2');
    assert.deepEqual((await readdir(other)).sort(), [
      'before-restore-2026-06-01T12-00-00-000Z',
      'devices',
      'identity',
      'lock',
    ]);
  });

  test('can be restored to the root of a disk, and keeps the files of the file system', async (t) => {
    const gateway = await scene(t);
    await mkdir(join(gateway.data, 'lost+found'));
    const { files } = await backupGateway(gateway.data, gateway.copy, deps);
    const paths = files.map(({ path }) => path);
    const aside = await restore({ folder: gateway.copy, paths }, gateway.data);
    assert.deepEqual((await readdir(gateway.data)).sort(), [basename(aside!), 'identity', 'lost+found']);
    assert.deepEqual(await readdir(aside!), ['identity']);
  });

  test('is refused when one of its files was changed, or when it is the backup of a platform', async (t) => {
    const gateway = await scene(t);
    await backupGateway(gateway.data, gateway.copy, deps);
    await assert.rejects(verifyFiles(gateway.copy, 'platform'), /cannot be used: it is a backup of a gateway\.$/);
    await rm(join(gateway.copy, 'identity', 'key.pem'));
    await assert.rejects(verifyFiles(gateway.copy, 'gateway'), /key\.pem is missing\.$/);
  });

  test('is refused for a folder whose gateway runs or controls a device', async (t) => {
    const gateway = await scene(t);
    const lock = await holdGateway(gateway.data);
    await assert.rejects(holdGateway(gateway.data), {
      message: `The gateway of ${gateway.data} runs; stop it first.`,
    });
    lock.release();
    const markers = createMarkers(join(gateway.data, 'control'));
    await markers.load();
    await markers.write({ id: 'a', sn: 'BAT-1' } as Parameters<typeof markers.write>[0]);
    await assert.rejects(holdGateway(gateway.data), {
      message: 'The gateway still controls BAT-1; start it once, which releases them, and stop it again.',
    });
    await markers.remove('BAT-1');
    (await holdGateway(gateway.data)).release();
  });

  test('is put in place completely once it is staged, even if it is aborted then', async (t) => {
    const gateway = await scene(t);
    const { files } = await backupGateway(gateway.data, gateway.copy, deps);
    const paths = files.map(({ path }) => path);
    const stopping = new AbortController();
    const other = gateway.place('other');
    const lock = await holdGateway(other);
    {
      await using staged = await stageGateway({ folder: gateway.copy, paths }, other, {
        ...deps,
        signal: stopping.signal,
      });
      stopping.abort();
      await staged.put();
    }
    assert.equal(await serialOf(other), await serialOf(gateway.data));
    await assert.rejects(stageGateway({ folder: gateway.copy, paths }, other, { ...deps, signal: stopping.signal }), {
      name: 'AbortError',
    });
    assert.deepEqual((await readdir(other)).sort(), ['identity', 'lock']);
    lock.release();
  });

  test('reports where the former data is when it cannot be put in place', async (t) => {
    const gateway = await scene(t);
    const { files } = await backupGateway(gateway.data, gateway.copy, deps);
    const paths = files.map(({ path }) => path);
    const aside = join(gateway.data, 'before-restore-2026-06-01T12-00-00-000Z');
    (await holdGateway(gateway.data)).release();
    await mkdir(join(gateway.copy, 'lock'));
    await writeFile(join(gateway.copy, 'lock', 'file'), ''); // a folder cannot replace the lock
    paths.push('lock/file');
    await assert.rejects(restore({ folder: gateway.copy, paths }, gateway.data), ({ message }: Error) => {
      assert.ok(message.startsWith(`The gateway is partly replaced; the earlier data is in ${aside}.`), message);
      return true;
    });
  });

  test('is refused without a gateway, and inside its own folder', async (t) => {
    const gateway = await scene(t);
    await assert.rejects(backupGateway(gateway.place('none'), gateway.copy, deps), /No gateway found in /);
    await assert.rejects(backupGateway(gateway.data, join(gateway.data, 'copy'), deps), /inside the data folder/);
  });
});
