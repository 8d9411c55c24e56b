import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { readRegisterImage } from '#gateway/decode-modbus.ts';
import { root } from '../source-files.ts';
import { temporaryFolder } from '../temporary-folder.ts';

type Step = { file: string; change(text: string | undefined): string };

const inserted =
  /(?:New file\s+`([^`]+)` in\s+`([^`]+)`|In\s+`([^`]+)`, above\s+`([^`]+)`|and above `([^`]+)`):\n\n {3}```(?:tsx?|json)\n(.*?)^ {3}```$/gms;
const replaced = /In\s+`([^`]+)`, write\s+`([^`]+)` instead of\s+`([^`]+)`/g;

/** A step of a recipe: create a file, insert text above a line, or replace text. */
function stepsOf(recipe: string): Step[] {
  let last = '';
  const insertions = [...recipe.matchAll(inserted)].map(([, created, folder, changed, above, sameAbove, block]) => {
    const file = created ? join(folder!, created) : (changed ?? last);
    last = file;
    const code = block!.replaceAll(/^ {3}/gm, '');
    return { file, change: (text?: string) => insert(text, above ?? sameAbove, code) };
  });
  assert.equal(
    insertions.length,
    recipe.match(/```tsx?$|^ {3}```json$/gm)!.length,
    'a block of code does not say where it belongs',
  );
  const replacements = [...recipe.matchAll(replaced)].map(([, file, after, before]) => ({
    file: file!,
    change(text = '') {
      assert.ok(text.includes(before!), `there is no ${before}`);
      return text.replace(before!, after!);
    },
  }));
  return [...insertions, ...replacements];
}

function insert(text: string | undefined, above: string | undefined, code: string): string {
  if (above === undefined) {
    assert.equal(text, undefined, 'it exists already');
    return code;
  }
  const line = text?.indexOf(`\n${above}\n`) ?? -1; // a whole line, if there is one
  const found = line >= 0 ? line + 1 : (text?.indexOf(above) ?? -1);
  assert.ok(found >= 0, `there is no ${above}`);
  const at = text!.lastIndexOf('\n', found) + 1;
  return text!.slice(0, at) + code + text!.slice(at);
}

function carryOut({ file, change }: Step, folder: string): void {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, change(existsSync(path) ? readFileSync(path, 'utf8') : undefined));
}

/** The repository as a fresh clone would have it. */
function copyRepository(folder: string): void {
  const listing = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  for (const path of listing.toString().split('\0')) {
    if (path && existsSync(join(root, path))) cpSync(join(root, path), join(folder, path), { recursive: true });
  }
  linkPackages(folder);
}

/** Links the packages. The cache of the type checker is copied, because it will change. */
function linkPackages(folder: string): void {
  const [here, there] = [join(root, 'node_modules'), join(folder, 'node_modules')];
  mkdirSync(there);
  for (const name of readdirSync(here)) {
    if (name !== '.cache') symlinkSync(join(here, name), join(there, name));
  }
  const known = '.cache/types';
  if (existsSync(join(here, known))) cpSync(join(here, known), join(there, known), { recursive: true });
}

const textOf = (recipe: string): string => readFileSync(join(root, `docs/recipes/${recipe}.md`), 'utf8');

const recipes = ['add-an-endpoint', 'add-a-page', 'add-a-price-source', 'add-a-device'];
const tests = [
  'cloud/notes/notes.test.ts',
  'test/attacks/authorization.test.ts',
  'price/electricity/keyless.test.ts',
  'web/languages/catalogues.test.ts',
  'gateway/profiles/control/controls.test.ts',
  'test/faults/control-profiles.test.ts',
];
const aboutTheNew = 'note|catalogue|volt_daily|control profile|Heron';
const passed = [
  'notes are listed in the order they were left',
  'GET /sites/{site_id}/notes',
  'has every text',
  'volt_daily returns the same prices of SE3 as the market',
  'every control profile belongs to a profile with that part',
  'Heron: charges, discharges, idles and returns to automatic',
  'Heron: generation is limited until the limit is lifted',
];

const heronBank = `
import type { Bank } from '../bank.ts';

export const heron = (serial: string): Bank => ({
  profile: 'heron',
  title: 'Heron hybrid inverter',
  unit: 1,
  input: { rows: [[30, 'i16', (h) => -h.battery_W]] },
  holding: { rows: [[1010, 8, serial]] },
});
`;

/** The device of a person who followed its recipe up to its control. */
const heron: Step[] = [
  { file: 'sim/modbus/banks/heron.ts', change: () => heronBank },
  {
    file: 'gateway/profiles/heron.ts',
    change: () => readFileSync(join(root, 'gateway/profiles/blueprint.ts'), 'utf8').replaceAll('blueprint', 'heron'),
  },
  {
    file: 'gateway/profiles/index.ts',
    change: (text) =>
      insert(insert(text, 'import { huawei }', "import { heron } from './heron.ts';\n"), '  ...others,', '  heron,\n'),
  },
];

test('the recipes, followed to the letter, type check and pass the tests that they name', {
  skip: existsSync(join(root, '.git')) ? false : 'They are tried on a copy of the repository, which needs git.',
  timeout: 300_000,
}, async (t) => {
  const folder = temporaryFolder(t);
  copyRepository(folder);
  for (const step of [...heron, ...recipes.flatMap((recipe) => stepsOf(textOf(recipe)))]) carryOut(step, folder);
  const { NODE_TEST_CONTEXT: _, ...ours } = process.env; // with it, node --test would run nothing
  const env = { ...ours, TEST_WITHOUT_POSTGRES: '1' };
  const run = (program: string, ...words: string[]) =>
    promisify(execFile)(program, words, { cwd: folder, env, maxBuffer: 1e8 }).catch(
      ({ stdout, stderr }: { stdout: string; stderr: string }) => assert.fail(`${stdout}\n${stderr}`.slice(-4000)),
    );
  for (const program of ['.', 'web'] as const) {
    const [tsc, ...words] = ['tsc', '-p', program, '--checkers', '1'] as const;
    await run(`node_modules/.bin/${tsc}`, ...words, '--preserveSymlinks'); // its packages are linked
  }
  const inOne = ['--test', '--test-isolation=none', `--test-name-pattern=${aboutTheNew}`];
  const { stdout } = await run(process.execPath, ...inOne, ...tests);
  for (const title of passed) assert.ok(stdout.includes(`✔ ${title} (`), `${title}\n${stdout}`);
});

test('the recipe of a device shows registers that decode to the values in it', () => {
  const [, shown] = /```json\n(.*?)^```$/ms.exec(textOf('add-a-device'))!;
  const { holding, input } = readRegisterImage(JSON.parse(shown!));
  assert.deepEqual(
    [[...holding.keys()], [...input.keys()]],
    [
      [1000, 1001],
      [10, 11, 30, 31],
    ],
  );
});
