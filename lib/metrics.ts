import type { FastifyInstance, onResponseHookHandler } from 'fastify';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { requestDurations, type Series } from './request-durations.ts';

/** Figures of this process: Node's own, and how long requests took, by route and status. */
export function createMetrics(): { registry: Registry; watch(app: FastifyInstance): void } {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = requestDurations(registry);

  function measure(route: string): onResponseHookHandler {
    const known = new Map<string, Series>();
    return (request, reply, done) => {
      const key = `${request.method} ${reply.statusCode}`;
      let series = known.get(key);
      if (!series) {
        series = durations.series({ method: request.method, route, status: String(reply.statusCode) });
        known.set(key, series);
      }
      series.observe(reply.elapsedTime / 1000);
      done();
    };
  }

  return {
    registry,
    watch(app) {
      app.addHook('onRoute', (route) => {
        route.onResponse = measure(route.url);
      });
      const measureAbsent = measure('none');
      app.addHook('onResponse', function (request, reply, done) {
        if (request.is404) measureAbsent.call(this, request, reply, done);
        else done();
      });
    },
  };
}
