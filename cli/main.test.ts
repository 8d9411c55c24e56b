import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { commandGroups, groupSummaries, loadCommands } from './commands/index.ts';
import { commandHelp } from './line/help.ts';
import { runCli } from './testing/child-process.ts';
import { runInProcess } from './testing/in-process.ts';

const commands = await loadCommands([]);

test('--help shows the first word of every command, and what it is about', async () => {
  const { code, out } = await runCli(['--help']);
  assert.equal(code, 0);
  for (const [word, { help }] of Object.entries(commandGroups)) assert.match(out, new RegExp(`\n  ${word} +${help}\n`));
});

test('behind each first word are the commands that begin with it', async () => {
  for (const [word, { load }] of Object.entries(commandGroups)) {
    const names = (await loadCommands([word])).map(({ name }) => name.split(' ')[0]);
    assert.deepEqual(new Set(names), new Set([word]));
    for (const { name } of (await load()).commands)
      assert.ok(
        commands.some((each) => each.name === name),
        name,
      );
  }
});

for (const word of ['gateway', 'price']) {
  test(`${word} is a program and a group: its help shows the settings and the commands`, async () => {
    const { code, out } = await runInProcess([word, '--help']);
    assert.equal(code, 0);
    assert.match(out, /\nEnvironment:\n/);
    const group = commands.filter(({ name }) => name.startsWith(`${word} `));
    assert.ok(group.length > 0);
    for (const { name, summary } of group) assert.ok(out.includes(`  ${name} `) && out.includes(summary), name);
  });
}

test('the help of a group shows its commands only', async () => {
  const { code, out } = await runInProcess(['admin', 'keys', '--help']);
  assert.equal(code, 0);
  assert.match(out, /admin keys rotate/);
  assert.doesNotMatch(out, /admin identity/);
});

test('the help of a command names its arguments, options, variables and examples', async () => {
  const { code, out } = await runInProcess(['admin', 'restore', '-h']);
  assert.equal(code, 0);
  assert.match(out, /^Usage: ohmstead admin restore <backup folder> \[options\]/);
  for (const line of [/--yes +skip the confirmation/, /--data DIR/, /Examples:\n {2}ohmstead admin restore/])
    assert.match(out, line);
  assert.match((await runInProcess(['cloud', '--help'])).out, /CLOUD_PORT +port to listen on, 0 for any \[8080\]/);
});

for (const command of commands) {
  test(`${command.name} has examples that call it, and a described group`, () => {
    const help = commandHelp(command);
    assert.ok(command.examples.length > 0);
    for (const example of command.examples) assert.ok(example.startsWith(command.name) && help.includes(example));
    const group = command.name.split(' ').slice(0, -1).join(' ');
    assert.ok(group in groupSummaries);
  });
}

test('--version is that of the package', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  assert.deepEqual(await runCli(['--version']), { code: 0, out: `${version}\n`, err: '' });
});

for (const { args, says } of [
  { args: 'clodu', says: 'Unknown command "clodu"; did you mean "cloud"?' },
  { args: 'admin identiy list', says: 'Unknown command "admin identiy list"; did you mean "admin identity list"?' },
  { args: 'admin bakup /tmp/x', says: 'Unknown command "admin bakup /tmp/x"; did you mean "admin backup"?' },
  { args: 'dance', says: 'Unknown command "dance".' },
  { args: 'admin keys list --jsno', says: 'Unknown option --jsno; did you mean --json?' },
  { args: 'admin keys list --unheard', says: 'Unknown option --unheard.' },
  { args: 'admin keys list --json=yes', says: '--json takes no value.' },
  { args: 'admin keys list --data', says: '--data needs a value.' },
  {
    args: 'admin keys list --data --json',
    says: '--data needs a value. For a value that starts with -, write --data=--json.',
  },
  { args: 'admin keys list more', says: 'Unexpected argument "more".' },
  { args: 'admin gateway allow', says: 'Missing argument <serial> and <public key>.' },
  { args: 'admin identity create --name x', says: 'Missing option --type TYPE.' },
  { args: 'admin identity create --type root', says: 'Give either --public-key KEY or --new-key FILE.' },
  {
    args: 'admin identity create --type rot',
    says: '--type must be one of root, admin, user, developer, gateway, device, integration, internal; did you mean root?',
  },
  { args: 'gateway fnid', says: 'Unknown command "gateway fnid"; did you mean "gateway find"?' },
  { args: 'completion basch', says: '<shell> must be one of bash, zsh, fish; did you mean bash?' },
  { args: 'completion', says: 'Missing argument <shell>.' },
  { args: 'login one two', says: 'Unexpected argument "two".' },
  {
    args: 'command battery charge -1kW',
    says: 'Give the power without a sign; the action sets the direction. Instead of charge -1kW, write: discharge 1kW',
  },
  { args: 'command battery charge -k', says: 'Unknown option -k.' },
  { args: '--json admin', says: '--json must follow a command.' },
]) {
  test(`"${args}" is answered with: ${says}`, async () => {
    const { code, out, err } = await runInProcess(args.split(' '));
    assert.equal(err.split('\n')[0], says);
    assert.deepEqual([code, out], [2, '']);
  });
}

test('a group alone shows what can follow it, as a mistake', async () => {
  const { code, out, err } = await runInProcess(['admin']);
  assert.deepEqual([code, out], [2, '']);
  assert.match(err, /admin identity create/);
});

test('all mistakes of the environment are listed, without a stack trace', async () => {
  const { code, err } = await runCli(['cloud'], { CLOUD_PORT: 'x', TOKEN_HOURS: '-1' });
  assert.equal(code, 1);
  assert.match(err, /^The configuration is invalid:\n {2}CLOUD_PORT .*\n {2}TOKEN_HOURS .*\n$/);
});
