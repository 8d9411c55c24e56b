import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv } from 'ajv';
import { cloudRoutes } from './cloud/routes.ts';
import { gatewayRoutes } from './gateway/routes.ts';
import { openApi } from './openapi.ts';
import { priceRoutes } from './price/routes.ts';
import { type Route, route } from './route.ts';
import { Nullable, Type } from './schema.ts';

const described = (routes: readonly Route[]) =>
  openApi({ title: 'Test', version: '1.2.3', description: 'For tests.', routes });

const cloud = described(cloudRoutes);
const operations = Object.values(cloud.paths).flatMap((methods) => Object.values(methods));
const at = (method: string, path: string) => cloud.paths[path]![method]!;

const plain = route({
  method: 'POST',
  path: '/things',
  tag: 'Things',
  summary: 'Make a thing',
  access: 'public',
  replies: { 204: null },
});

for (const [service, routes] of Object.entries({ cloud: cloudRoutes, gateway: gatewayRoutes, prices: priceRoutes })) {
  suite(`the document of the ${service}`, () => {
    const document = described(routes);

    test('is valid OpenAPI 3.1', async () => {
      const { valid, errors } = await new Validator().validate(structuredClone<Record<string, unknown>>(document));
      assert.ok(valid, JSON.stringify(errors, null, 2));
    });

    test('describes requests by valid JSON Schemas', () => {
      const ajv = new Ajv();
      for (const { method, path, params, query, body } of routes)
        for (const [part, schema] of Object.entries({ params, query, body }))
          if (schema) assert.ok(ajv.validateSchema(schema), `${part} of ${method} ${path}: ${ajv.errorsText()}`);
    });

    test('has examples of requests that are as it asks for', () => {
      const ajv = new Ajv({ strict: false, validateFormats: false }).addSchema({ $id: 'document', ...document });
      const bodies = Object.entries(document.paths).flatMap(([path, methods]) =>
        Object.entries(methods).flatMap(([method, { requestBody }]) =>
          Object.values(requestBody?.content ?? {}).map((content) => ({ path, method, ...content })),
        ),
      );
      assert.ok(bodies.length > 0);
      for (const { path, method, schema, example } of bodies) {
        const placed = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/'));
        assert.ok(ajv.validate(placed, example), `${method} ${path}: ${ajv.errorsText()}`);
      }
    });

    test('is plain JSON', () => assert.deepEqual(JSON.parse(JSON.stringify(document)), document));
  });
}

suite('the document of the cloud in detail', () => {
  test('has every route', () => {
    for (const { method, path } of cloudRoutes)
      assert.ok(cloud.paths[path]?.[method.toLowerCase()], `${method} ${path}`);
    assert.equal(operations.length, cloudRoutes.length);
  });

  test('names each operation once', () => {
    assert.equal(new Set(operations.map(({ operationId }) => operationId)).size, operations.length);
  });

  test('has no dangling references', () => {
    const references = JSON.stringify(cloud).match(/"\$ref":"#\/components\/(schemas|headers)\/[^"]+"/g)!;
    for (const reference of new Set(references)) {
      const [, kind, name] = /components\/(\w+)\/([^"]+)"/.exec(reference)!;
      assert.ok(cloud.components[kind as 'schemas' | 'headers'][name!], reference);
    }
  });

  test('lists the tags in the order of the routes', () => {
    assert.deepEqual(cloud.tags.slice(0, 2), [{ name: 'Identity' }, { name: 'Organizations' }]);
  });
});

suite('an operation', () => {
  test('that reads a paged list', () => {
    const { operationId, parameters, responses, security, ...list } = at('get', '/organizations/{org_id}/members');
    assert.equal(operationId, 'getOrganizationsByOrgIdMembers');
    assert.deepEqual(
      parameters.map((parameter) => [parameter.in, parameter.name, parameter.required]),
      [
        ['path', 'org_id', true],
        ['query', 'limit', false],
        ['query', 'cursor', false],
      ],
    );
    assert.equal(parameters[1]!.description, 'page size');
    assert.deepEqual(security, [{ bearer: [] }]);
    assert.deepEqual(Object.keys(responses), ['200', '400', '401', '403', '404', '429']);
    assert.deepEqual(responses['200']!.content, {
      'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/Member' } } },
    });
    assert.deepEqual(responses['200']!.headers!.Link, { $ref: '#/components/headers/Link' });
    assert.equal(
      list['x-access'],
      'Anyone signed in, with the right to read the organization in `params.org_id` (viewer, operator, admin or owner).',
    );
  });

  test('that creates', () => {
    const claim = at('post', '/gateways/claim');
    const body = claim.requestBody!.content['application/json']!.schema;
    assert.equal(body.additionalProperties, false);
    assert.deepEqual(body.required, ['org_id', 'gateway_serial', 'public_key', 'message', 'signature']);
    assert.ok(claim.parameters.some(({ name, in: place }) => name === 'Idempotency-Key' && place === 'header'));
    assert.deepEqual(Object.keys(claim.responses), [
      '200',
      '201',
      '400',
      '401',
      '403',
      '404',
      '409',
      '413',
      '415',
      '422',
      '429',
    ]);
    const { description, content } = claim.responses['403']!;
    assert.match(description, /`forbidden`: Not allowed\.\n`claim_refused`: Claim refused\./);
    const { schema, examples } = content!['application/problem+json']!;
    assert.deepEqual(schema, { $ref: '#/components/schemas/Problem' });
    assert.deepEqual(Object.keys(examples!), ['forbidden', 'claim_refused', 'claim_expired', 'claim_replayed']);
  });

  test('that anybody may call', () => {
    const types = at('get', '/public/der-types/{id}');
    assert.deepEqual(types.security, []);
    assert.equal(types['x-access'], 'Everyone.');
    assert.deepEqual(Object.keys(types.responses), ['200', '304', '400', '404', '429']);
    assert.deepEqual(types.responses['200']!.headers!.ETag, { $ref: '#/components/headers/ETag' });
  });

  test('for brokers is marked internal and has its own secret', () => {
    const document = described([{ ...plain, access: 'internal' }]);
    const internal = document.paths['/things']!.post!;
    assert.equal(internal['x-internal'], true);
    assert.deepEqual(internal.security, [{ internal: [] }]);
    assert.deepEqual(Object.keys(document.components.securitySchemes), ['internal']);
  });

  test('that answers something else than JSON says so', () => {
    const document = described([{ ...plain, replies: { 200: Type.String() }, contentType: 'text/event-stream' }]);
    assert.deepEqual(Object.keys(document.paths['/things']!.post!.responses['200']!.content!), ['text/event-stream']);
  });
});

suite('a schema with a title', () => {
  const Part = Type.Object({ size: Type.Integer() }, { title: 'Part' });
  const Thing = Type.Object({ parts: Type.Array(Part), spare: Nullable(Part) }, { title: 'Thing' });

  test('is referred to wherever it is nested, also when it may be null', () => {
    const { components } = described([{ ...plain, replies: { 201: Thing } }]);
    const part = { $ref: '#/components/schemas/Part' };
    assert.deepEqual(components.schemas.Thing!.properties, {
      parts: { type: 'array', items: part },
      spare: { anyOf: [part, { type: 'null' }] },
    });
  });

  test('has a closed twin where it is sent', () => {
    const { components } = described([{ ...plain, body: Thing, replies: { 201: Thing } }]);
    assert.deepEqual(Object.keys(components.schemas).toSorted(), [
      'Part',
      'PartInput',
      'Problem',
      'Thing',
      'ThingInput',
    ]);
    assert.equal(components.schemas.PartInput!.additionalProperties, false);
    assert.equal(components.schemas.Part!.additionalProperties, undefined);
  });

  test('shares it with no other', () => {
    const other = { ...plain, path: '/others', replies: { 200: Type.Object({}, { title: 'Part' }) } } as const;
    assert.throws(
      () => described([{ ...plain, replies: { 200: Part } }, other]),
      /Two different schemas have the title Part/,
    );
  });
});
