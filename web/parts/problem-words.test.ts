import assert from 'node:assert/strict';
import { afterEach, suite, test } from 'node:test';
import { fieldProblem, Problem, problemCodes } from '#contract/problem.ts';
import { describeProblem, PageProblem } from './problem-words.ts';
import { languages, setLanguage } from './text.ts';

const full = new Problem('conflict', 'The site holds 3 devices; delete them first.');

suite('problems', () => {
  afterEach(() => setLanguage('en'));

  test('every code has a sentence of its own in Swedish', async () => {
    await setLanguage('sv');
    const sentences = problemCodes.map((code) => describeProblem(new Problem(code, 'The request failed.')).says);
    assert.equal(new Set(sentences).size, problemCodes.length);
    assert.ok(!sentences.includes('The request failed.'));
  });

  test('in Swedish the page describes the problem and adds the message of the server', async () => {
    await setLanguage('sv');
    const says = 'Det krockar med det aktuella läget. Läs in sidan igen.';
    assert.deepEqual(describeProblem(full), { says, detail: full.message });
  });

  test('in English the message of the server is shown alone', () => {
    assert.deepEqual(describeProblem(full), { says: full.message });
  });

  for (const [language, says] of [
    ['en', 'Something went wrong on the server. Its log has the details.'],
    ['sv', 'Något gick fel på servern. Orsaken finns i serverns logg.'],
  ] as const) {
    test(`an internal error is described in ${language}, without the message of the server`, async () => {
      await setLanguage(language);
      assert.deepEqual(describeProblem(new Problem('internal_error', 'The request failed.')), { says });
    });
  }

  for (const language of languages) {
    test(`a problem of the page itself is shown as it is in ${language}`, async () => {
      await setLanguage(language);
      assert.deepEqual(describeProblem(new PageProblem('conflict', 'Välj först.')), { says: 'Välj först.' });
    });
  }

  test('a mistake in a field is shown once', () => {
    const { says } = describeProblem(fieldProblem('unprocessable', 'body.name', 'is taken'));
    assert.equal(says, 'body.name: is taken.');
  });
});
