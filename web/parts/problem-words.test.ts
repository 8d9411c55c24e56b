import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldProblem, Problem, problemCodes } from '#contract/problem.ts';
import { describeProblem, PageProblem, swedish } from './problem-words.ts';

const full = new Problem('conflict', 'The site holds 3 devices; delete them first.');

test('every code has a sentence of its own in Swedish', () => {
  assert.deepEqual(Object.keys(swedish).toSorted(), problemCodes.toSorted());
  assert.equal(new Set(Object.values(swedish)).size, problemCodes.length);
});

test('in Swedish the page describes the problem and adds the message of the server', () => {
  assert.deepEqual(describeProblem(full, 'sv'), { says: swedish.conflict, detail: full.message });
});

test('in English the message of the server is shown alone', () => {
  assert.deepEqual(describeProblem(full, 'en'), { says: full.message });
});

for (const [language, says] of [
  ['en', 'Something went wrong on the server. Its log has the details.'],
  ['sv', swedish.internal_error],
] as const) {
  test(`an internal error is described in ${language}, without the message of the server`, () => {
    const fault = new Problem('internal_error', 'The request failed.');
    assert.deepEqual(describeProblem(fault, language), { says });
  });

  test(`a problem of the page itself is shown as it is in ${language}`, () => {
    assert.deepEqual(describeProblem(new PageProblem('conflict', 'Välj först.'), language), { says: 'Välj först.' });
  });
}

test('a mistake in a field is shown once', () => {
  const { says } = describeProblem(fieldProblem('unprocessable', 'body.name', 'is taken'), 'en');
  assert.equal(says, 'body.name: is taken.');
});
