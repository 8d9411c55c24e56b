import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** Figures of this process: Node's own, and how long requests took, by route and status. */
export function createMetrics(): { registry: Registry; watch(app: FastifyInstance): void } {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request to the end of its answer',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  });
  const series = new Map<string, { observe(seconds: number): void }>();

  return {
    registry,
    watch(app) {
      app.addHook('onResponse', (request, reply, done) => {
        const route = request.routeOptions.url ?? 'none';
        const key = `${request.method} ${route} ${reply.statusCode}`;
        let durationsOfRoute = series.get(key);
        if (!durationsOfRoute) {
          durationsOfRoute = durations.labels(request.method, route, String(reply.statusCode));
          series.set(key, durationsOfRoute);
        }
        durationsOfRoute.observe(reply.elapsedTime / 1000);
        done();
      });
    },
  };
}
