import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, globSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { basename, delimiter, dirname, join, relative } from 'node:path';
import { root } from '../source-files.ts';
import { compilerSettings } from '../test-environment.ts';

type Manifest = { version: string; bin: { ohmstead: string }; dependencies: Record<string, string> };

export type InstalledPackage = {
  /** of the person who installed it */
  folder: string;
  /** where it is in there */
  path: string;
  manifest: Manifest;
  files: string[];
  packedBytes: number;
  env: Record<string, string>;
};

/**
 * Packs a copy of the repository, and installs it into this empty folder as npm would, but without a network: beside the
 * package are its declared dependencies, and no others.
 */
export function installPackage(folder: string): InstalledPackage {
  const env = { PATH: pathOfMachine(), HOME: folder, NODE_COMPILE_CACHE: join(folder, 'compiled') };
  const tarball = pack(join(folder, 'copy'), env);
  const modules = join(folder, 'node_modules');
  const path = join(modules, 'ohmstead');
  mkdirSync(path, { recursive: true });
  execFileSync('tar', ['xzf', tarball, '-C', path, '--strip-components=1']);
  const manifest = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as Manifest;
  for (const name of Object.keys(manifest.dependencies)) link(join(root, 'node_modules', name), join(modules, name));
  const program = join(path, manifest.bin.ohmstead);
  chmodSync(program, 0o755);
  link(program, join(modules, '.bin/ohmstead'));
  const files = globSync('**/*', { cwd: path }).filter((file) => statSync(join(path, file)).isFile());
  return { folder, path, manifest, files, packedBytes: statSync(tarball).size, env };
}

/** Without the folders that npm adds for our scripts: npx runs with the Node of the machine. */
const pathOfMachine = (): string =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .join(delimiter);

function pack(copy: string, env: Record<string, string>): string {
  const leftOut = ['.git', 'data', 'bench/results.json'].map((name) => join(root, name));
  cpSync(root, copy, {
    recursive: true,
    filter: (path) => !leftOut.includes(path) && !/^(node_modules|dist(\.\d+)?)$/.test(basename(path)),
  });
  link(join(root, 'node_modules'), join(copy, 'node_modules'));
  const said = execFileSync('npm', ['pack', '--offline', '--silent'], {
    cwd: copy,
    env: { ...env, ...compilerSettings },
    encoding: 'utf8',
  });
  return join(copy, said.trim().split('\n').at(-1)!);
}

function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(relative(dirname(path), target), path);
}
