import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { Ajv } from 'ajv';
import { importsOf } from '../architecture/scan.ts';
import { root } from '../source-files.ts';
import { anyPorts, processesOn, type SimulatedState } from '../stack/up-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { compilerEnvironment } from '../test-environment.ts';
import { installPackage } from './installed-package.ts';
import { npx } from './npx.ts';

const mostInstalledBytes = 100_000_000; // with its dependencies, without Node
const mostPackedBytes = 3_000_000; // half of it pages, which are included plain and compressed in two ways

const mayHold = [
  /^(package\.json|README\.md|LICENSE)$/,
  /^cli\/(main|own-node|compile-cache)\.js$/,
  /^dist\/(package|sbom)\.json$/,
  /^dist\/(cli|cloud|contract|gateway|lib|plan|price|sim|stack)\/.+\.js$/,
  /^dist\/contract\/.+\.d\.ts$/,
  /^dist\/(gateway\/page|lib\/http\/docs)\/[\w-]+\.(css|html)$/,
  /^dist\/price\/data\/(README\.md|(places|tariffs)\/[\w-]+\.json)$/,
  /^dist\/web\/dist\/(licenses\.md|service-worker\.js|[\w-]+\.(html|svg|png|webmanifest)|assets\/[\w.-]+\.(js|css|json|svg))(\.br|\.gz)?$/,
  /^dist\/web\/dist\/assets\/sv-[\w-]+\.js$/, // the Swedish catalogue
];
const { packages: locked } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, { version: string; integrity: string; dev?: boolean }>;
};

type Component = { 'bom-ref': string; name: string; version: string; hashes: { alg: string; content: string }[] };
type Sbom = {
  metadata: { component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
};

const text = { type: 'string', minLength: 1 };
const texts = { type: 'array', items: text, uniqueItems: true };
const part = (type: string, required: string[]) => ({
  type: 'object',
  required: ['type', 'bom-ref', 'name', 'version', 'licenses', 'purl', ...required],
  properties: {
    type: { const: type },
    'bom-ref': text,
    name: text,
    version: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+' },
    scope: { enum: ['required', 'optional'] },
    purl: { type: 'string', pattern: '^pkg:npm/(%40[\\w.-]+/)?[\\w.-]+@\\d' },
    hashes: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['alg', 'content'],
        properties: { alg: { const: 'SHA-512' }, content: { type: 'string', pattern: '^[0-9a-f]{128}$' } },
      },
    },
    licenses: {
      type: 'array',
      minItems: 1,
      items: { anyOf: [{ required: ['license'] }, { required: ['expression'] }] },
    },
  },
});

/** The fields of CycloneDX 1.6 that must or should be there. */
const cycloneDx = {
  type: 'object',
  required: ['bomFormat', 'specVersion', 'version', 'metadata', 'components', 'dependencies'],
  properties: {
    bomFormat: { const: 'CycloneDX' },
    specVersion: { const: '1.6' },
    version: { const: 1 },
    metadata: { type: 'object', required: ['component'], properties: { component: part('application', []) } },
    components: { type: 'array', items: part('library', ['hashes', 'scope']) },
    dependencies: {
      type: 'array',
      items: { type: 'object', required: ['ref', 'dependsOn'], properties: { ref: text, dependsOn: texts } },
    },
  },
};

const onlyForTests = /\.test\.|(^|\/)(test|testing)\//;

// A program that uses the client. It is type-checked, then run.
const program = `
import { readFileSync } from 'node:fs';
import { connect, keyFromPem, listSites } from 'ohmstead/client';

const [url = '', keyFile = ''] = process.argv.slice(2);
const ohmstead = await connect(url, { key: await keyFromPem(readFileSync(keyFile, 'utf8')), register: false });
for await (const site of ohmstead.pages(listSites)) {
  if (site.name !== 'Simulated home') continue;
  for await (const event of ohmstead.stream(site.id)) {
    if (event.type !== 'reading') continue;
    console.log(JSON.stringify(event.reading));
    process.exit();
  }
}
`;

suite('the package', { timeout: 120_000 }, () => {
  const installed = installPackage(temporaryFolder({ after }));
  const { folder, path, manifest, files } = installed;
  const scripts = files
    .filter((file) => file.endsWith('.js') && !/^dist\/(web|gateway\/page)\//.test(file))
    .map((file) => ({ path: file, text: readFileSync(join(path, file), 'utf8') }));

  test('contains the programs and their data, and nothing else', (t) => {
    const isKnown = (file: string) => mayHold.some((pattern) => pattern.test(file)) && !onlyForTests.test(file);
    assert.deepEqual(
      files.filter((file) => !isKnown(file)),
      [],
    );
    for (const pattern of mayHold)
      assert.ok(
        files.some((file) => pattern.test(file)),
        `nothing matches ${pattern}`,
      );
    const bytes = files.reduce((sum, file) => sum + statSync(join(path, file)).size, 0);
    t.diagnostic(`${files.length} files, ${kB(installed.packedBytes)} packed, ${kB(bytes)} unpacked`);
    assert.ok(installed.packedBytes < mostPackedBytes, `${installed.packedBytes} bytes`);
  });

  test('refers only to files that it contains, and to packages that it declares', () => {
    const imports = scripts.flatMap(importsOf);
    assert.ok(imports.length > scripts.length);
    const wrong = imports.filter(({ from, specifier, target }) => {
      if (from === 'cli/main.js' && specifier === './run.ts') return false; // of a clone
      if (specifier.startsWith('#')) return !files.includes(`dist/${target}`);
      if (target) return !files.includes(target);
      const name = specifier.split('/').slice(0, specifier.startsWith('@') ? 2 : 1);
      return !isBuiltin(specifier) && !Object.hasOwn(manifest.dependencies, name.join('/'));
    });
    assert.deepEqual(wrong, []);
    const named = scripts
      .filter(({ text }) => /['"](\.\.?|#\w+)\/[\w./-]+\.ts['"]/.test(text))
      .map((script) => script.path);
    assert.deepEqual(named, ['cli/main.js']);
  });

  test('includes its license, and those of the packages in its pages', () => {
    const textOf = (file: string) => readFileSync(file, 'utf8').trim();
    assert.equal(textOf(join(path, 'LICENSE')), textOf(join(root, 'LICENSE')));
    const licenses = textOf(join(path, 'dist/web/dist/licenses.md'));
    for (const name of ['preact', '@preact/signals', '@preact/signals-core', 'uplot', 'h3-js', 'world-atlas']) {
      const { version, license } = JSON.parse(textOf(join(root, 'node_modules', name, 'package.json')));
      assert.ok(licenses.includes(`## ${name} - ${version} (${license})`), name);
    }
    assert.ok(licenses.includes(textOf(join(root, 'node_modules/world-atlas/LICENSE'))));
  });

  test('includes a list of its components, with those of the pages, whose hashes are those of the lockfile', () => {
    const sbom = JSON.parse(readFileSync(join(path, 'dist/sbom.json'), 'utf8')) as Sbom;
    const isValid = new Ajv({ strict: false }).compile(cycloneDx);
    assert.ok(isValid(sbom), JSON.stringify(isValid.errors));
    const { metadata, components, dependencies }: Sbom = sbom;
    const refs = components.map((component) => component['bom-ref']);
    assert.equal(new Set(refs).size, refs.length);
    assert.deepEqual(
      dependencies.map(({ ref }) => ref),
      [metadata.component['bom-ref'], ...refs],
    );
    const needed = new Set(dependencies.flatMap(({ dependsOn }) => dependsOn));
    assert.deepEqual([...needed].toSorted(), refs.toSorted(), 'each is needed by another, and listed');
    const named = new Map(components.map((component) => [component.name, component]));
    for (const name of [...Object.keys(manifest.dependencies), 'preact', 'uplot', 'world-atlas', 'uqr']) {
      const { version, integrity } = locked[`node_modules/${name}`]!;
      const { version: listed, hashes } = named.get(name)!;
      const hash = Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex');
      assert.deepEqual([listed, hashes[0]!.content], [version, hash], name);
    }
    assert.equal(named.get('vite'), undefined, 'a tool of the development');
  });

  test('takes at most 100 MB with its dependencies, without Node', (t) => {
    const inUse = Object.entries(locked).filter(
      ([folder, { dev }]) => folder && !dev && folder !== 'node_modules/node',
    );
    const bytes = [path, ...inUse.map(([folder]) => join(root, folder))].reduce((sum, each) => sum + diskUse(each), 0);
    t.diagnostic(`${kB(bytes)} installed`);
    assert.ok(bytes < mostInstalledBytes, `${bytes} bytes`);
  });

  test('types work in the TypeScript of others, and report their mistakes', () => {
    const options = { module: 'nodenext', target: 'es2024', strict: true, noEmit: true, types: ['node'] };
    const typeRoots = [join(root, 'node_modules/@types')];
    const compilerOptions = { ...options, typeRoots, skipLibCheck: true };
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
    const check = (text: string) => {
      writeFileSync(join(folder, 'program.ts'), text);
      const tsc = join(root, 'node_modules/.bin/tsc');
      return spawnSync(tsc, ['-p', folder], { env: compilerEnvironment, encoding: 'utf8' }).stdout;
    };
    assert.match(check(program.replace('site.name', 'site.nmae')), /error TS2339: Property 'nmae' does not exist/);
    assert.equal(check(program), '');
  });

  test('npx ohmstead --version is that of the package', async (t) => {
    const { code, out } = await npx(t, installed, ['--version']).ended;
    assert.deepEqual([code, out], [0, `${manifest.version}\n`]);
  });

  test('npx ohmstead decode explains registers', async (t) => {
    const image = {
      unit_id: 247,
      function_code: 4,
      blocks: { 30005: [0, 1500], 30014: [400], 30035: [0, 3000, 0, 100] },
    };
    writeFileSync(join(folder, 'registers.json'), JSON.stringify(image));
    const { code, out } = await npx(t, installed, ['decode', 'modbus', 'registers.json', '--profile', 'sigenergy'])
      .ended;
    assert.equal(code, 0);
    assert.equal(JSON.parse(out).meter.W, 1500);
  });

  for (const { command, settings, started, paths } of [
    {
      command: 'cloud',
      settings: { CLOUD_PORT: '0', MQTT_PORT: '0', DATA_DIR: 'cloud-data' },
      started: /"url":"http:\/\/localhost:(\d+)".*"msg":"cloud started"/,
      paths: ['/health', '/', '/docs', '/docs/assets/interactive-page.css', '/docs/assets/swagger-ui.css', '/redoc'],
    },
    {
      command: 'gateway',
      settings: { GATEWAY_PORT: '0', GATEWAY_HOST: '127.0.0.1', MDNS: 'false', GATEWAY_DATA_DIR: 'gateway-data' },
      started: /"port":(\d+).*"msg":"gateway started"/,
      paths: ['/health', '/', '/docs', '/redoc'],
    },
  ])
    test(`npx ohmstead ${command} serves its API and its pages, and stops on Ctrl-C`, async (t) => {
      const run = npx(t, installed, [command], settings);
      const [, port] = await run.says(started);
      for (const path of paths) assert.equal((await fetch(`http://127.0.0.1:${port}${path}`)).status, 200, path);
      run.pressCtrlC();
      assert.match((await run.ended).out, /"msg":"shutdown completed"/);
    });

  test('npx ohmstead up is a whole system, which a program with ohmstead/client can follow', async (t) => {
    const data = join(folder, 'data');
    const run = npx(t, installed, ['up', '--data', data, '--houses', '2'], { ...anyPorts, LOG_LEVEL: 'info' });
    const [, url] = await run.says(/^ready (.+)$/m);
    const state = JSON.parse(readFileSync(join(data, 'stack.json'), 'utf8')) as SimulatedState;
    assert.equal(url, state.cloud_url);

    const args = [join(folder, 'program.ts'), url, state.private_key_file];
    const reading = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', timeout: 30_000 }));
    const ders = state.devices.flatMap(({ ders }) => ders.map(({ id }) => id));
    assert.ok(ders.includes(reading.der_id), JSON.stringify(reading));

    run.pressCtrlC();
    assert.match((await run.ended).out, /"msg":"shutdown completed"/);
    assert.deepEqual(processesOn(data), []);
  });
});

/** As du counts, without packages inside of others, which the lockfile lists. */
function diskUse(folder: string): number {
  const blocks = readdirSync(folder, { withFileTypes: true }).map((entry) => {
    if (entry.name === 'node_modules') return 0;
    const file = join(folder, entry.name);
    return entry.isDirectory() ? diskUse(file) : lstatSync(file).blocks * 512;
  });
  return blocks.reduce((sum, each) => sum + each, lstatSync(folder).blocks * 512);
}

const kB = (bytes: number): string => `${Math.round(bytes / 1000)} kB`;
