import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { createLog } from '#lib/log.ts';
import { openTariffs, shippedTariffs } from '#price/tariffs/tariffs.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const text = readFileSync(join(shippedTariffs, 'ellevio.json'), 'utf8');
const log = createLog({ level: 'silent', name: 'test' });
const rounds = 300;

/** The file with its edition in every tariff. */
const edition = (number: number): string =>
  text.replaceAll(/("product": ")/g, `$1edition ${number} `).replace('"Ellevio AB"', `"edition ${number}"`);

const editionsIn = (value: unknown): string[] => JSON.stringify(value).match(/edition \d+/g) ?? [];

suite('a tariff file', () => {
  test(`that is rewritten ${rounds} times in pieces while it is read is always one whole edition`, async (t) => {
    const folder = temporaryFolder(t);
    const path = join(folder, 'ellevio.json');
    writeFileSync(path, edition(0));
    const tariffs = openTariffs({ folder, clock: { now: () => 0 }, log });
    await tariffs.scan();
    const each = editionsIn(tariffs.book().providers).length;
    assert.ok(each >= 2, `${each} mentions`);

    const writing = new AbortController();
    const seen = new Set<string>();
    let torn = 0;
    async function read(): Promise<void> {
      while (!writing.signal.aborted) {
        await tariffs.scan();
        const editions = editionsIn(tariffs.book().providers);
        assert.equal(editions.length, each);
        assert.equal(new Set(editions).size, 1);
        seen.add(editions[0]!);
        torn += tariffs.errors().length;
      }
    }
    async function write(): Promise<void> {
      for (let number = 1; number <= rounds; number++) {
        if (number === rounds) await sleep(50); // file times may have a resolution of a few milliseconds
        const file = await open(path, 'w');
        const whole = edition(number);
        const cut = (number * 7919) % whole.length;
        for (const piece of [whole.slice(0, cut), whole.slice(cut)]) {
          await file.write(piece);
          await turn();
        }
        await file.close();
      }
      writing.abort();
    }
    await Promise.all([read(), write()]);
    await tariffs.scan();
    assert.deepEqual(new Set(editionsIn(tariffs.book().providers)), new Set([`edition ${rounds}`]));
    assert.deepEqual(tariffs.errors(), []);
    assert.ok(torn > 0 && seen.size > 1, `${torn} torn files, ${seen.size} editions were seen`);
  });

  for (const { title, make, expected } of [
    { title: 'a pipe', make: (path: string) => void execFileSync('mkfifo', [path]), expected: /not a regular file/ },
    { title: 'endless', make: (path: string) => symlinkSync('/dev/zero', path), expected: /not a regular file/ },
    { title: 'a folder', make: (path: string) => symlinkSync('/tmp', path), expected: /not a regular file/ },
    {
      title: 'of a gigabyte',
      make: (path: string) => {
        writeFileSync(path, '');
        truncateSync(path, 1_000_000_000);
      },
      expected: /more than/,
    },
  ]) {
    test(`that is ${title} is refused at once, and the others are read`, { timeout: 5000 }, async (t) => {
      const folder = temporaryFolder(t);
      writeFileSync(join(folder, 'ellevio.json'), text);
      make(join(folder, 'other.json'));
      const tariffs = openTariffs({ folder, clock: { now: () => 0 }, log });
      await tariffs.scan();
      assert.equal(tariffs.book().providers.length, 1);
      assert.match(tariffs.errors()[0]!.message, expected);
    });
  }
});
