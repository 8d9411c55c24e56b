// npm runs this before it packs, because Node strips no types inside node_modules. dist/ becomes the tree of the
// repository in JavaScript, so that what a program reads or starts beside itself is where it always was.
import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build as buildPages } from 'vite';
import { compile, nameScripts, scriptOf } from './compile.ts';
import { componentsOf } from './sbom.ts';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const entries = ['cli/run.ts', 'contract/client/index.ts'];
const licenses = 'licenses.md';
const readByPrograms = '{contract,lib,cloud,gateway,price,sim,stack}/**/*.{css,html,js,json,md}';

function write(path: string, text: string): void {
  const file = join(dist, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Says in dist/ what package.json says to the source: what version this is, and where `#lib/` is. */
function writeManifest(): void {
  const { name, version, type, imports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  write('package.json', JSON.stringify({ name, version, type, imports }, null, 2));
}

/** For the TypeScript of those who import from this package. */
function writeDeclarations(): void {
  execFileSync('tsc', ['-p', join(import.meta.dirname, 'declarations.json')], { stdio: 'inherit' });
  for (const file of globSync('**/*.d.ts', { cwd: dist }))
    write(file, nameScripts(readFileSync(join(dist, file), 'utf8')));
}

/** The coastlines of the map are data, which the build of the pages does not count among what it bundles. */
function addLicenseOfCoastlines(): void {
  const read = (file: string) => readFileSync(join(root, 'node_modules/world-atlas', file), 'utf8');
  const { name, version, license } = JSON.parse(read('package.json'));
  appendFileSync(join(dist, 'web/dist', licenses), `\n## ${name} - ${version} (${license})\n\n${read('LICENSE')}`);
}

/** Takes the packages in the pages from the list of their licences. */
function writeComponents(): void {
  const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'));
  const headings = readFileSync(join(dist, 'web/dist', licenses), 'utf8').matchAll(/^## (\S+) - /gm);
  const inPages = [...headings].map(([, name]) => name!);
  write('sbom.json', JSON.stringify(componentsOf(read('package.json'), read('package-lock.json'), inPages)));
}

rmSync(dist, { recursive: true, force: true });
for (const [path, text] of compile(root, entries)) write(scriptOf(path), text);
for (const file of globSync(readByPrograms, { cwd: root }))
  if (file.endsWith('.json')) write(file, JSON.stringify(JSON.parse(readFileSync(join(root, file), 'utf8'))));
  else cpSync(join(root, file), join(dist, file));
writeManifest();
writeDeclarations();
await buildPages({
  configFile: join(root, 'web/vite.config.ts'),
  logLevel: 'warn',
  build: { license: { fileName: licenses } }, // of what the pages are made of; other packages bring theirs
});
cpSync(join(root, 'web/dist'), join(dist, 'web/dist'), { recursive: true });
addLicenseOfCoastlines();
writeComponents();
