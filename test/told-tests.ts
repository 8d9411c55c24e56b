import { relative, resolve } from 'node:path';
import type { TestEvent } from 'node:test/reporters';
import { root } from './source-files.ts';

/** A test that is over, by its file below the root. */
export type Told = { file: string; title: string; isSuite: boolean; isPassed: boolean; skip?: string };

/** A reporter of node:test: a line of JSON for every test and suite that is over. */
export default async function* toldTests(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of source) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    if (resolve(root, data.name) === data.file) continue; // what node:test says of a file that has none
    const told: Told = {
      file: relative(root, data.file ?? ''),
      title: data.name,
      isSuite: data.details.type === 'suite',
      isPassed: type === 'test:pass',
      ...(data.skip !== undefined && { skip: String(data.skip) }),
    };
    yield `${JSON.stringify(told)}\n`;
  }
}
