import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { promisify } from 'node:util';
import { gatewayRoutes } from '#contract/gateway/routes.ts';
import { root, sourceFiles } from '../../source-files.ts';

type Locked = {
  version: string;
  integrity?: string;
  resolved?: string;
  hasInstallScript?: boolean;
  dev?: boolean;
  optional?: boolean;
  peer?: boolean;
  link?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
};

const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'));
const { packages }: { packages: Record<string, Locked> } = read('package-lock.json');
const { '': own, ...locked } = packages;
const manifest = read('package.json') as Record<string, Record<string, string>>;
const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

const mostInProduction = 173; // including their own dependencies; a new one is a decision

suite('the packages that we use', () => {
  test('have exact versions, in package.json and in the lockfile', () => {
    for (const group of ['dependencies', 'devDependencies', 'overrides']) {
      for (const [name, version] of Object.entries(manifest[group]!)) {
        assert.match(version, /^\d+\.\d+\.\d+$/, `${name} ${version}`);
      }
    }
    assert.deepEqual(own!.dependencies, manifest.dependencies);
  });

  test('come from the registry only, with hashes', () => {
    for (const [path, { version, integrity, resolved, link }] of Object.entries(locked)) {
      assert.equal(resolved, undefined, `${path} is fetched from an address of its own`);
      assert.ok(!link, `${path} is a link`);
      assert.match(version, /^\d+\.\d+\.\d+/, path);
      assert.match(integrity ?? 'none', /^sha512-[\w+/]{86}==/, path);
    }
  });

  test('do not refer to packages from other places', () => {
    for (const [path, { dependencies = {}, optionalDependencies = {} }] of Object.entries(locked)) {
      for (const [name, wanted] of Object.entries({ ...dependencies, ...optionalDependencies })) {
        assert.doesNotMatch(wanted, /[:/]/, `${path} wants ${name} ${wanted}`);
      }
    }
  });

  test('run only allowed install scripts', () => {
    const withScript = Object.entries(locked).filter(([, { hasInstallScript }]) => hasInstallScript);
    assert.deepEqual(
      withScript.map(([path]) => nameOf(path)).toSorted(),
      Object.keys(manifest.allowScripts!).toSorted(),
    );
    const allowed = Object.entries(manifest.allowScripts!).filter(([, isAllowed]) => isAllowed);
    assert.ok(allowed.length <= 2, JSON.stringify(allowed));
  });

  test('do not grow in number unnoticed', () => {
    const inUse = Object.entries(locked).filter(([, { dev, optional, peer }]) => !dev && !optional && !peer);
    const names = new Set(inUse.map(([path]) => nameOf(path)));
    assert.ok(names.size <= mostInProduction, `${names.size} packages run in production`);
  });
});

const npm = ['/usr/bin/npm', '/usr/local/bin/npm'].find(existsSync);

test('a list of all components is made without network access', {
  skip: npm ? false : 'npm is not installed',
}, async () => {
  const { stdout } = await promisify(execFile)(
    npm!,
    ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--offline'],
    { cwd: root, maxBuffer: 64 * 1024 * 1024, timeout: 60_000 },
  );
  const { bomFormat, components } = JSON.parse(stdout) as {
    bomFormat: string;
    components: { name: string; version: string; hashes?: { alg: string }[] }[];
  };
  assert.equal(bomFormat, 'CycloneDX');
  for (const [name, version] of Object.entries(manifest.dependencies!)) {
    const part = components.find((component) => component.name === name.split('/').at(-1) || component.name === name);
    assert.equal(part?.version, version, name);
    assert.ok(
      part?.hashes?.some(({ alg }) => alg === 'SHA-512'),
      name,
    );
  }
});

suite('a gateway does not update itself', () => {
  const sources = sourceFiles()
    .filter((file) => file.startsWith('gateway/') && !file.endsWith('.test.ts'))
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));

  test('it starts its watchdog, and programs that switch radios', () => {
    const starting = sources.filter(({ text }) => /['"](node:)?(child_process|cluster)['"]/.test(text));
    assert.deepEqual(
      starting.map(({ file }) => file),
      ['gateway/control/watchdog.ts', 'gateway/network/run-command.ts'],
    );
    const programs = sources.flatMap(({ text }) => [...text.matchAll(/\brun\(\s*['"`]([^'"`]+)/g)]);
    assert.deepEqual([...new Set(programs.map(([, program]) => program!))].toSorted(), ['bluetoothctl', 'nmcli']);
  });

  test('nobody can ask it for one', () => {
    const asking = gatewayRoutes.filter(({ path }) => /update|upgrade|firmware|install/i.test(path));
    assert.deepEqual(
      asking.map(({ path }) => path),
      [],
    );
  });
});
