// Starts programs on folders that they refuse, one after another as the user of this process, and prints what each says.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

export type Start = [program: string, folder: string];
export type Refusal = { status: number | null; said: string };

if (import.meta.main) {
  const javaScript = import.meta.resolve('../../cli/compile-cache.js');
  const { compileCacheFolder } = (await import(javaScript)) as { compileCacheFolder(): string | undefined };
  const cache = compileCacheFolder(); // the one of the tests may belong to another user
  if (cache) enableCompileCache(join(cache, 'of-tests'));
  const { runInProcess } = await import('../../cli/testing/in-process.ts'); // late, so that it comes from the cache
  const starts = JSON.parse(process.argv[2] ?? '[]') as Start[];
  const refusals: Refusal[] = [];
  for (const [program, folder] of starts) {
    const { code, out, err } = await runInProcess([program, '--data', folder]);
    refusals.push({ status: code, said: out + err });
  }
  process.stdout.write(JSON.stringify(refusals), () => process.exit()); // even if one of them has started
}
