import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from '../log.ts';
import { createServer } from './server.ts';

test('an internal error is logged without its query and not shown to the caller', async () => {
  const lines: string[] = [];
  const log = createLog({ level: 'info', name: 'test', destination: { write: (line) => lines.push(line) } });
  const app = createServer({ log, apiVersion: '1' });
  app.get('/fails', () => {
    throw new Error('connect postgres://admin:hush@db');
  });
  const reply = await app.inject('/fails?ticket=secret-ticket');
  assert.equal(reply.statusCode, 500);
  assert.equal(reply.json().detail, 'The request failed; the server log has the details.');
  assert.doesNotMatch(reply.body, /hush|postgres|stack/);
  assert.match(lines.join(''), /postgres:/);
  assert.doesNotMatch(lines.join(''), /secret-ticket/);
  await app.close();
});
