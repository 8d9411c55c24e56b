import type { FastifyInstance } from 'fastify';
import type { OpenApiDocument } from '#contract/openapi.ts';
import type { Known } from './values.ts';

/** One of our services, as the fuzz sees it. */
export type FuzzService = AsyncDisposable & {
  name: string;
  document: OpenApiDocument;
  /** the Authorization header of everybody who may come, by who it is; empty of those who send none. The first may do most. */
  credentials(): Record<string, string>;
  /** what is there to be named, by the name of a field or a parameter */
  known: Known;
  /** ids that are others every time, by what they are, so that a request that was found can be sent again */
  names(): Record<string, string>;
  /** who answers at this path, without a wire */
  appOf(path: string): FastifyInstance;
  /** where it listens */
  url: string;
  /** Puts back what requests have removed. */
  renew(): Promise<void>;
};

export type FuzzRequest = {
  /** GET /sites/{site_id}, as long as method and path are of that operation; undefined when they are odd */
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
  /** of an event stream nothing, since it has no end */
  body: string;
  tookMs: number;
};

/** The document of a service as it serves it. */
export async function liveDocument(app: FastifyInstance): Promise<OpenApiDocument> {
  const reply = await app.inject({ method: 'GET', url: '/openapi.json' });
  return reply.json();
}
