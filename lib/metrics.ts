import type { FastifyInstance, onResponseHookHandler } from 'fastify';
import { nodeMetrics, processMetrics } from './metrics/process-metrics.ts';
import { createHistogram, createRegistry, type Metric, type Registry, type Series } from './metrics/registry.ts';

/** Shared by all servers of this process. */
let defaultMetrics: Metric[] | undefined;

/** Creates the metrics of this process and the duration of its requests by route and status. */
export function createMetrics(): { registry: Registry; watch(app: FastifyInstance): void } {
  const registry = createRegistry();
  defaultMetrics ??= [...processMetrics(), ...nodeMetrics()];
  const durations = createHistogram(
    'http_request_duration_seconds',
    'Time from the request to the end of the response',
    [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
  );
  registry.add(...defaultMetrics, durations.metric);

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
      const measureNotFound = measure('none');
      app.addHook('onResponse', function (request, reply, done) {
        if (request.is404) measureNotFound.call(this, request, reply, done);
        else done();
      });
    },
  };
}
