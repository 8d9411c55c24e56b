import type { FastifyInstance } from 'fastify';
import { Problem } from '#contract/problem.ts';
import * as contract from '#contract/simulation.ts';
import { mountDocs } from '#lib/http/docs.ts';
import { createMount, type Door } from '#lib/http/mount.ts';
import type { Playground } from './playground.ts';

export function mountSimulation<Extra extends object>(
  app: FastifyInstance,
  door: Door<Extra>,
  playground: Playground,
  version: string,
): void {
  const mount = createMount(app, door);
  createMount(app, fromThisMachine(door))(contract.visitSimulation, playground.visit);
  mount(contract.getSimulation, playground.shown);
  mount(contract.playWeather, ({ body: { clouds, sun_hour } }) =>
    playground.playWeather({
      ...(clouds !== undefined && { clouds }),
      ...(sun_hour !== undefined && { sunHour: sun_hour }),
    }),
  );
  mount(contract.playHome, ({ body: { extra_load_w, car = {} } }) => {
    const { connected, charge_w } = car;
    return playground.playHome({
      ...(extra_load_w !== undefined && { extraLoad_W: extra_load_w }),
      ...(connected !== undefined && { isCarHome: connected }),
      ...(charge_w !== undefined && { carCharge_W: charge_w }),
    });
  });
  mount(contract.playFault, ({ params, body }) => playground.playFault(params.sn, body.fault));
  mount(contract.resetSimulation, playground.reset);

  mountDocs(
    app,
    {
      title: 'Simulation',
      version,
      description: 'Sun, clouds, load and faults of the simulated home and its street.',
      routes: contract.simulationRoutes,
    },
    { openapi: '/simulation/openapi.json', docs: '/simulation/docs', redoc: '/simulation/redoc' },
  );
}

const loopback = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/;
const ourNames = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/** Restricts a door to callers on this machine that use a local host name, which excludes DNS rebinding. */
function fromThisMachine<Extra>(door: Door<Extra>): Door<Extra> {
  return {
    ...door,
    admit(route) {
      const admit = door.admit(route);
      return (request, reply) => {
        const { remoteAddress = '' } = request.socket;
        const isForwarded = request.headers['x-forwarded-for'] !== undefined || request.headers.forwarded !== undefined;
        if (isForwarded || !loopback.test(remoteAddress) || !ourNames.test(request.headers.host ?? '')) {
          throw new Problem('forbidden', 'Available only at http://localhost on the machine that runs the simulation.');
        }
        return admit(request, reply);
      };
    },
  };
}
