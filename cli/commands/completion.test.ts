import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { promisify } from 'node:util';
import { roles } from '#contract/access.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { completionTable } from '../completion/table.ts';
import { runInProcess } from '../testing/in-process.ts';
import { commandGroups, groupSummaries, loadCommands } from './index.ts';

const firstWords = Object.keys(commandGroups);

function missing(shell: string): string | false {
  try {
    execFileSync(shell, ['-c', 'true']);
    return false;
  } catch {
    return `${shell} is not on this machine`;
  }
}

/** Each line with what stands before the cursor, and what may stand there; the word at the cursor is the last one. */
const cases: { line: string; offers: readonly string[] }[] = [
  { line: '', offers: firstWords },
  { line: 'com', offers: firstWords.filter((word) => word.startsWith('com')) },
  { line: '--', offers: ['--help', '--version'] },
  {
    line: 'org ',
    offers: [
      'list',
      'create',
      'members',
      'invite',
      'invitations',
      'withdraw',
      'join',
      'decline',
      'add-member',
      'set-role',
      'remove-member',
      'audit',
      'delete',
    ],
  },
  { line: 'alerts set price_', offers: ['price_below', 'price_above'] },
  { line: 'gateway ', offers: ['find', 'claim', 'list', 'show', 'release', 'token'] },
  { line: 'tariffs ', offers: ['find', 'import', 'check', 'import-areas'] },
  { line: 'price ', offers: ['now', 'today', 'total', 'cheapest', 'bill'] },
  { line: 'admin ident', offers: ['identity'] },
  { line: 'org list --', offers: ['--json', '--help'] },
  { line: 'org add-member idt-1 ', offers: roles },
  { line: 'org add-member --org Home idt-1 o', offers: ['operator', 'owner'] },
  { line: 'device add sungrow --connection m', offers: ['modbus_tcp', 'modbus_rtu', 'mqtt'] },
  { line: 'site list --org ', offers: [] },
  { line: 'completion ', offers: ['bash', 'zsh', 'fish'] },
  { line: 'dance ', offers: [] },
];

suite('completion', async () => {
  const folder = temporaryFolder({ after });
  const scriptOf = async (shell: string): Promise<string> => {
    const { code, out } = await runInProcess(['completion', shell]);
    assert.equal(code, 0);
    const file = join(folder, shell);
    writeFileSync(file, out);
    return file;
  };

  for (const { shell, offered } of [
    { shell: 'bash', offered: offeredByBash },
    { shell: 'fish', offered: offeredByFish },
  ]) {
    test(`${shell} is offered what may stand at the cursor`, { skip: missing(shell) }, async () => {
      const script = await scriptOf(shell);
      for (const { line, offers } of cases)
        assert.deepEqual((await offered(script, line)).sort(), [...offers].sort(), `ohmstead ${line}`);
    });
  }

  test('bash is offered the values of --option=, and files where a file is wanted', {
    skip: missing('bash'),
  }, async () => {
    const script = await scriptOf('bash');
    writeFileSync(join(folder, 'a key.pem'), '');
    assert.deepEqual(await inBash(script, ['admin', 'identity', 'create', '--type', '=', 'ro']), ['root']);
    const key = await inBash(script, ['login', '--key', join(folder, 'a')]);
    assert.deepEqual(key, [join(folder, 'a key.pem')]);
  });

  test('the script of every shell is one that this shell can read', async () => {
    for (const shell of ['bash', 'zsh', 'fish']) {
      const script = await scriptOf(shell);
      if (!missing(shell)) await promisify(execFile)(shell, ['-n', script]);
    }
  });

  test('the table knows every command and every option', async () => {
    const commands = await loadCommands([]);
    const table = completionTable(commands, groupSummaries);
    for (const { name, options } of commands) {
      const path = name.split(' ').slice(0, -1).join(' ');
      assert.ok(
        table.words.get(path)!.some(({ word, help }) => name.endsWith(word) && help !== ''),
        name,
      );
      assert.deepEqual(
        table.options.get(name)!.map(({ word }) => word),
        [...Object.keys(options).map((option) => `--${option}`), '--help'],
      );
    }
  });
});

function offeredByBash(script: string, line: string): Promise<string[]> {
  return inBash(script, line.split(' '));
}

/** Calls the function as readline does, with the words that readline would give it. */
async function inBash(script: string, typed: readonly string[]): Promise<string[]> {
  const call = `source "$0"; COMP_WORDS=(ohmstead "$@"); COMP_CWORD=$#; _ohmstead; [ "\${#COMPREPLY[@]}" = 0 ] || printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', call, script, ...typed]);
  return stdout.split('\n').filter(Boolean);
}

async function offeredByFish(script: string, line: string): Promise<string[]> {
  const call = 'source $argv[1]; complete -C "ohmstead $argv[2]"';
  const { stdout } = await promisify(execFile)('fish', ['--no-config', '-c', call, script, line]);
  return stdout.split('\n').flatMap((text) => text.split('\t')[0] || []);
}
