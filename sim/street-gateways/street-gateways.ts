import { type StreetGateway, type StreetGatewayOptions, startStreetGateway } from './street-gateway.ts';

const usualPaceMs = 5000;

/** Many gateways that report in turn, so that the load is even; each once in `paceMs`. */
export function startStreetGateways(
  homes: readonly Pick<StreetGatewayOptions, 'key' | 'house' | 'devices'>[],
  { paceMs = usualPaceMs, ...rest }: Omit<StreetGatewayOptions, 'key' | 'house' | 'devices'> & { paceMs?: number },
): { close(): Promise<void> } {
  const gateways: StreetGateway[] = homes.map((home) => startStreetGateway({ ...home, ...rest }));
  let next = 0;
  const timer = setInterval(() => {
    gateways[next]?.report();
    next = (next + 1) % gateways.length;
  }, paceMs / Math.max(1, gateways.length));
  return {
    async close() {
      clearInterval(timer);
      await Promise.all(gateways.map((gateway) => gateway.close()));
    },
  };
}
