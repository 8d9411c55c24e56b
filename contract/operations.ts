import { routesOf } from './route.ts';
import { OneOf, Type } from './schema.ts';

const api = routesOf({ tag: 'Operations', access: 'public' });

export const getHealth = api.get('/health', 'Check that the process is alive', {
  replies: {
    200: Type.Object({ status: OneOf(['healthy']), version: Type.String(), uptime_seconds: Type.Integer() }),
  },
});

const Readiness = Type.Object({
  status: OneOf(['ready', 'unavailable']),
  reasons: Type.Array(Type.String(), { description: 'reasons for not being ready, one sentence each' }),
});

export const getReady = api.get('/ready', 'Check that the service and its dependencies are ready', {
  replies: { 200: Readiness, 503: Readiness },
});

export const getMetrics = api.get('/metrics', 'Get metrics in the Prometheus text format', {
  replies: { 200: Type.String() },
  contentType: 'text/plain; version=0.0.4; charset=utf-8',
});

export const operationsRoutes = api.all;
