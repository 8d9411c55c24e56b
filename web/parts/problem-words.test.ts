import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldProblem, Problem, problemCodes } from '#contract/problem.ts';
import { describeProblem, PageProblem, problemWords } from './problem-words.ts';

const full = new Problem('conflict', 'The site holds 3 devices; delete them first.');

for (const [language, words] of Object.entries(problemWords)) {
  test(`every code has a sentence of its own in ${language}`, () => {
    assert.deepEqual(Object.keys(words).toSorted(), problemCodes.toSorted());
    assert.equal(new Set(Object.values(words)).size, problemCodes.length);
  });
}

test('in Swedish the page describes the problem and adds the message of the server', () => {
  assert.deepEqual(describeProblem(full, 'sv'), { says: problemWords.sv.conflict, detail: full.message });
});

test('in English the message of the server is shown alone', () => {
  assert.deepEqual(describeProblem(full, 'en'), { says: full.message });
});

for (const language of ['en', 'sv'] as const) {
  test(`an internal error is described in ${language}, without the message of the server`, () => {
    const fault = new Problem('internal_error', 'The request failed.');
    assert.deepEqual(describeProblem(fault, language), { says: problemWords[language].internal_error });
  });

  test(`a problem of the page itself is shown as it is in ${language}`, () => {
    assert.deepEqual(describeProblem(new PageProblem('conflict', 'Välj först.'), language), { says: 'Välj först.' });
  });
}

test('a mistake in a field is shown once', () => {
  const { says } = describeProblem(fieldProblem('unprocessable', 'body.name', 'is taken'), 'en');
  assert.equal(says, 'body.name: is taken.');
});
