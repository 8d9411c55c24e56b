import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mutantsOf } from './mutants.ts';

test('a source has a mutant for each operator, condition, number, boolean and call', () => {
  const source = 'export function f(a: number) {\n  if (a! < 3 && g()) log(!true);\n}\n';
  const mutated = mutantsOf(source).map(({ start, end, text }) => source.slice(0, start) + text + source.slice(end));
  assert.deepEqual(
    mutated.map((text) => text.split('\n')[1]?.trim()),
    [
      'if (true) log(!true);',
      'if (false) log(!true);',
      'if (a! < 3 || g()) log(!true);',
      'if (a! <= 3 && g()) log(!true);',
      'if (a! < (3 + 1) && g()) log(!true);',
      'if (a! < 3 && g()) ;',
      'if (a! < 3 && g()) log(true);',
      'if (a! < 3 && g()) log(!false);',
    ],
  );
});
