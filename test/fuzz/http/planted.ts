import { openApi } from '#contract/openapi.ts';
import { Problem } from '#contract/problem.ts';
import { route } from '#contract/route.ts';
import { Type } from '#contract/schema.ts';
import { createMount } from '#lib/http/mount.ts';
import { createServer } from '#lib/http/server.ts';
import { createLog } from '#lib/log.ts';
import type { FuzzService } from './service.ts';

const lengths = route({
  method: 'POST',
  path: '/lengths',
  tag: 'Texts',
  summary: 'How long texts are',
  access: 'public',
  body: Type.Object({ text: Type.String(), note: Type.Optional(Type.String()) }),
  replies: { 200: Type.Object({ text: Type.Integer(), note: Type.Integer() }) },
});

const halves = route({
  method: 'GET',
  path: '/halves/{number}',
  tag: 'Numbers',
  summary: 'The half of a number',
  access: 'public',
  params: Type.Object({ number: Type.Integer({ minimum: 0, maximum: 100 }) }),
  replies: { 200: Type.Unsafe<{ half: number }>({}) },
});

const shelves = route({
  method: 'GET',
  path: '/shelves',
  tag: 'Shelves',
  summary: 'A resource that is unavailable for a while',
  access: 'public',
  replies: { 200: Type.Object({}) },
  problems: ['unavailable'],
});

/** A service with two bugs and a declared failure: it forgets that a note may be missing, and half of an odd number is not what it declares. */
export async function openPlanted(): Promise<FuzzService> {
  const app = createServer({ log: createLog({ level: 'silent', name: 'planted' }), apiVersion: '1' });
  const mount = createMount<object>(app, {
    unknownFields: 'refuse',
    admit: () => async () => {},
    serve: (_route, _request, handle) => handle({}),
  });
  mount(lengths, ({ body }) => ({ text: body.text.length, note: body.note!.length }));
  mount(halves, ({ params }) => ({ half: params.number / 2 }));
  mount(shelves, () => {
    throw new Problem('unavailable', 'The shelves are away.');
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const declared = { ...halves, replies: { 200: Type.Object({ half: Type.Integer() }) } };
  return {
    name: 'planted',
    document: openApi({ title: 'Planted', version: '1', description: 'Bugs.', routes: [lengths, declared, shelves] }),
    credentials: () => ({ anybody: '' }),
    known: () => [],
    names: () => ({}),
    appOf: () => app,
    url,
    async renew() {},
    [Symbol.asyncDispose]: () => app.close(),
  };
}
