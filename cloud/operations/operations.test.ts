import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openCloud } from '#test/cloud/open-cloud.ts';
import { postgresMissing, startPostgres } from '#test/services/postgres.ts';

test('health, readiness and metrics need no token', async () => {
  const cloud = await openCloud();
  try {
    const health = await cloud.call('GET', '/health');
    assert.deepEqual(health.body, { status: 'healthy', version: '0.0.0', uptime_seconds: 0 });
    await cloud.start();
    assert.deepEqual((await cloud.call('GET', '/ready')).body, { status: 'ready', reasons: [] });
    const metrics = await cloud.call('GET', '/metrics');
    assert.match(String(metrics.headers['content-type']), /^text\/plain; version=0\.0\.4/);
    assert.match(metrics.body, /http_request_duration_seconds_count\{method="GET",route="\/health",status="200"\} 1/);
  } finally {
    await cloud.close();
  }
});

test('it is not ready before its broker is open, nor after', async () => {
  const cloud = await openCloud();
  const ready = async () => {
    const { status, body, headers } = await cloud.call('GET', '/ready');
    return [status, body, headers['retry-after']];
  };
  const closed = [503, { status: 'unavailable', reasons: ['The broker is not reachable.'] }, '2'];
  try {
    assert.deepEqual(await ready(), closed);
    await cloud.start();
    assert.deepEqual(await ready(), [200, { status: 'ready', reasons: [] }, undefined]);
    await cloud.transport.close();
    assert.deepEqual(await ready(), closed);
  } finally {
    await cloud.close();
  }
});

test('every answer carries the version of the API and an id to ask about', async () => {
  const cloud = await openCloud();
  try {
    for (const path of ['/health', '/nowhere', '/sites']) {
      const { headers, body } = await cloud.call('GET', path);
      assert.equal(headers['api-version'], '1');
      assert.ok(headers['x-request-id']);
      if (body.status !== 'healthy') assert.equal(body.request_id, headers['x-request-id']);
    }
  } finally {
    await cloud.close();
  }
});

test('the OpenAPI document and both pages are served, and name every route', async () => {
  const cloud = await openCloud();
  try {
    const { body } = await cloud.call('GET', '/openapi.json');
    assert.equal(body.openapi.slice(0, 3), '3.1');
    assert.ok(body.paths['/gateways/claim'].post);
    for (const page of ['/docs', '/redoc']) {
      const { status, headers } = await cloud.call('GET', page);
      assert.equal(status, 200);
      assert.match(String(headers['content-type']), /text\/html/);
    }
  } finally {
    await cloud.close();
  }
});

test('while the database is unavailable, requests get 503 with a retry time', { skip: postgresMissing() }, async () => {
  const postgres = await startPostgres();
  const cloud = await openCloud({ engine: 'postgres', databaseUrl: postgres.url() });
  await cloud.start();
  const ada = await cloud.person();
  const { token: unseen } = await cloud.person();
  const exchange = {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=authorization_code&client_id=app&code=x',
  };
  await postgres.stop();
  try {
    for (const [method, path, body] of [
      ['GET', '/sites'],
      ['POST', '/organizations', { name: 'x' }],
    ] as const) {
      const reply = await cloud.call(method, path, { as: ada, body });
      assert.equal(reply.status, 503, path);
      assert.equal(reply.body.error, 'unavailable');
      assert.equal(reply.headers['retry-after'], '2');
      assert.equal(reply.headers['www-authenticate'], undefined, 'nothing is wrong with the token');
    }
    const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
    for (const reply of [
      await cloud.call('GET', '/oauth/userinfo', bearer('of-an-application')),
      await cloud.call('GET', '/oauth/userinfo', bearer(unseen)),
      await cloud.call('POST', '/oauth/token', exchange),
    ]) {
      assert.deepEqual([reply.status, reply.body.error], [503, 'temporarily_unavailable']);
      assert.equal(reply.headers['retry-after'], '2');
    }
    const ready = await cloud.call('GET', '/ready');
    assert.equal(ready.status, 503);
    assert.equal(ready.body.reasons.length, 1);
    assert.equal((await cloud.call('GET', '/health')).status, 200);
  } finally {
    await cloud.close();
  }
});
