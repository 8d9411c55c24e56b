import assert from 'node:assert/strict';
import { checkPreSerialized } from '#lib/http/mount.ts';
import { validator } from '#lib/http/validate.ts';

// Imported for its effect: every pre-serialized reply of a test is compared with the schema of its route.
checkPreSerialized(({ method, path, replies }, text) => {
  const schema = replies[200];
  assert.ok(schema, `${method} ${path} has no reply 200`);
  const validate = validator(schema, 'body', 'refuse');
  assert.ok(
    validate(JSON.parse(text)),
    `${method} ${path} does not match its schema: ${JSON.stringify(validate.errors)}`,
  );
});
