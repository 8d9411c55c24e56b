import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldProblem, Problem, problemCodes } from '#contract/problem.ts';
import { PageProblem, problemLines, problemWords } from './problem-words.ts';

const full = new Problem('conflict', 'The site holds 3 devices; delete them first.');

for (const [language, words] of Object.entries(problemWords)) {
  test(`every code has a sentence of its own in ${language}`, () => {
    assert.deepEqual(Object.keys(words).toSorted(), problemCodes.toSorted());
    assert.equal(new Set(Object.values(words)).size, problemCodes.length);
  });
}

test('in Swedish the page says what it means, and the server what it is about', () => {
  assert.deepEqual(problemLines(full, 'sv'), { says: problemWords.sv.conflict, detail: full.message });
});

test('in English the sentence of the server is enough', () => {
  assert.deepEqual(problemLines(full, 'en'), { says: full.message });
});

for (const language of ['en', 'sv'] as const) {
  test(`a fault of the server is told in ${language}, without its English sentence`, () => {
    const fault = new Problem('internal_error', 'The request failed; the server log tells why.');
    assert.deepEqual(problemLines(fault, language), { says: problemWords[language].internal_error });
  });

  test(`what the page says itself stands alone in ${language}`, () => {
    assert.deepEqual(problemLines(new PageProblem('conflict', 'Välj först.'), language), { says: 'Välj först.' });
  });
}

test('a mistake in a field is told once', () => {
  const { says } = problemLines(fieldProblem('unprocessable', 'body.name', 'is taken'), 'en');
  assert.equal(says, 'body.name: is taken.');
});
