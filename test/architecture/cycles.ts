import { type Import, importsOf, type Source } from './scan.ts';

/** Returns one line per import that closes a cycle, with the whole path. */
export function importCycles(sources: Source[]): string[] {
  const importsByPath = new Map(sources.map((source) => [source.path, importsOf(source)]));
  const done = new Set<string>();
  const cycles: string[] = [];

  const visit = (path: string, trail: string[]): void => {
    if (done.has(path)) return;
    for (const found of importsByPath.get(path) ?? []) {
      const { target = '' } = found;
      const start = [...trail, path].indexOf(target);
      if (start < 0) visit(target, [...trail, path]);
      else cycles.push(show(found, [...trail, path].slice(start)));
    }
    done.add(path);
  };
  for (const path of importsByPath.keys()) visit(path, []);
  return cycles;
}

const show = ({ from, line, target }: Import, way: string[]): string =>
  `${from}:${line} closes the cycle ${[...way, target].join(' → ')}`;
