import { route } from './route.ts';
import { Type } from './schema.ts';
import { OneOf } from './text.ts';

const tag = 'Operations';

export const getHealth = route({
  method: 'GET',
  path: '/health',
  tag,
  summary: 'Check that the process is alive',
  access: 'public',
  replies: {
    200: Type.Object({ status: OneOf(['healthy']), version: Type.String(), uptime_seconds: Type.Integer() }),
  },
});

const Readiness = Type.Object({
  status: OneOf(['ready', 'unavailable']),
  reasons: Type.Array(Type.String(), { description: 'reasons for not being ready, one sentence each' }),
});

export const getReady = route({
  method: 'GET',
  path: '/ready',
  tag,
  summary: 'Check that the service and its dependencies are ready',
  access: 'public',
  replies: { 200: Readiness, 503: Readiness },
});

export const getMetrics = route({
  method: 'GET',
  path: '/metrics',
  tag,
  summary: 'Get metrics in the Prometheus text format',
  access: 'public',
  replies: { 200: Type.String() },
  contentType: 'text/plain; version=0.0.4; charset=utf-8',
});

export const operationsRoutes = [getHealth, getReady, getMetrics];
