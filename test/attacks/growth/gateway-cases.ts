import { connectionTypeNames } from '#contract/gateway/connections.ts';
import { gatewayRoutes } from '#contract/gateway/routes.ts';
import type { openGateway } from '../../gateway/open-gateway.ts';
import { bodyCases } from './body-cases.ts';
import type { GrowthCase } from './measure.ts';

type Gateway = Awaited<ReturnType<typeof openGateway>>;

/** Bodies that a gateway receives on the local network. */
export function gatewayCases(gateway: Gateway, serialNumber: string): GrowthCase[] {
  const post = (path: string, body: unknown) => gateway.call('POST', path, body);
  const ofDevice = (path: string): string => path.replace('{sn}', serialNumber).replace('{address}', '1');
  return [
    {
      covers: ['POST /api/devices/{sn}/registers'],
      what: 'registers of one request, none of which exists',
      unit: 'registers',
      base: 60,
      async prepare(size) {
        const registers = Object.fromEntries(Array.from({ length: size }, (_, n) => [String(70_000 + n), 1]));
        return () => post(ofDevice('/api/devices/{sn}/registers'), { registers });
      },
    },
    ...connectionTypeNames.map(
      (type): GrowthCase => ({
        covers: ['POST /api/devices'],
        what: `unknown parameters of ${type}`,
        unit: 'parameters',
        base: 60,
        async prepare(size) {
          const parameters = Object.fromEntries(Array.from({ length: size }, (_, n) => [`p${n}`, 'x'.repeat(200)]));
          return () => post('/api/devices', { type, ...parameters });
        },
      }),
    ),
    ...bodyCases(
      gatewayRoutes,
      async (method, path, body) => (await gateway.call(method, path, body)).status,
      ({ path }) => ofDevice(path),
    ),
  ];
}
