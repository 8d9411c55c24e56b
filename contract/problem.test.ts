import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldProblem, fieldsProblem } from './problem.ts';

test('mistakes in fields are one sentence, and a list beside it', () => {
  const errors = [
    { path: 'body.name', message: 'is required' },
    { path: 'body.public_key', message: 'The P-256 key is not a point of its curve.' },
  ];
  const { code, message, details } = fieldsProblem('invalid_request', errors);
  assert.equal(code, 'invalid_request');
  assert.equal(message, 'body.name: is required; body.public_key: The P-256 key is not a point of its curve.');
  assert.deepEqual(details, { errors });
});

test('so is one mistake', () => {
  const { message, details } = fieldProblem('unprocessable', 'query.to', 'must be later');
  assert.equal(message, 'query.to: must be later.');
  assert.deepEqual(details, { errors: [{ path: 'query.to', message: 'must be later' }] });
});
