import type { OpenApiDocument, Operation } from './openapi/document.ts';
import { createSchemaRegistry } from './openapi/document.ts';
import { operation } from './openapi/operation.ts';
import type { ErrorFormat } from './openapi/responses.ts';
import { headerComponents } from './openapi/responses.ts';
import type { Route } from './route.ts';

export type { OpenApiDocument } from './openapi/document.ts';

export type ServiceDescription = {
  title: string;
  version: string;
  description: string;
  routes: readonly Route[];
  errors?: ErrorFormat;
};

const securitySchemes: OpenApiDocument['components']['securitySchemes'] = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'Access token, sent as Authorization: Bearer <token>.',
  },
  internal: {
    type: 'http',
    scheme: 'bearer',
    description: 'Secret shared with the brokers and peers of this installation.',
  },
  local: {
    type: 'http',
    scheme: 'bearer',
    description: 'Local token that the gateway printed at its first start; required if LOCAL_API=guarded.',
  },
};

export function openApi({
  title,
  version,
  description,
  routes,
  errors = 'problem',
}: ServiceDescription): OpenApiDocument {
  const schemas = createSchemaRegistry();
  const paths: Record<string, Record<string, Operation>> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route, schemas, errors) };
  }
  const usedSchemes = new Set(
    Object.values(paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ security }) => security.flatMap(Object.keys)),
  );
  return {
    openapi: '3.1.0',
    info: { title, version, description },
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: schemas.components,
      headers: headerComponents,
      securitySchemes: Object.fromEntries(Object.entries(securitySchemes).filter(([name]) => usedSchemes.has(name))),
    },
  };
}
