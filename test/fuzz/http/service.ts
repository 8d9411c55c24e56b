import type { FastifyInstance } from 'fastify';
import type { OpenApiDocument } from '#contract/openapi.ts';
import type { Known } from './values.ts';

/** One of our services, as the fuzz sees it. */
export type FuzzService = AsyncDisposable & {
  name: string;
  document: OpenApiDocument;
  /** the Authorization header of each caller, by name; empty without one. The first has the most rights. */
  credentials(): Record<string, string>;
  /** existing ids, by the name of a field or a parameter */
  known: Known;
  /** ids that differ in every run, by kind, so that a finding can be sent again */
  names(): Record<string, string>;
  /** calls the service without a socket */
  appOf(path: string): FastifyInstance;
  /** where it listens */
  url: string;
  /** Restores what requests have removed. */
  renew(): Promise<void>;
};

export type FuzzRequest = {
  /** GET /sites/{site_id}, when method and path match that operation; undefined when they are odd */
  operation: string | undefined;
  as: string;
  method: string;
  url: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
};

export type FuzzAnswer = {
  status: number;
  headers: Record<string, unknown>;
  /** empty for an event stream, since it has no end */
  body: string;
  tookMs: number;
};

/** The OpenAPI document as the service serves it. */
export async function liveDocument(app: FastifyInstance): Promise<OpenApiDocument> {
  const reply = await app.inject({ method: 'GET', url: '/openapi.json' });
  return reply.json();
}
