import { type DeviceListing, getDevice } from '#contract/cloud/devices.ts';
import { listGateways } from '#contract/cloud/gateways.ts';
import { gather } from '../../parts/gather.ts';
import { useLoad } from '../../parts/load.tsx';
import { now } from '../../parts/now.ts';
import { api } from '../session.ts';

/** The gateway behind a device; it is not ours any more when nobody knows whether it is online. */
export type Behind = { serial: string; isOnline: boolean | undefined };

export type BehindAll = { of(deviceId: string): Behind | undefined; problem: unknown };

const mostAsked = 100; // a plant of more is shown without its gateways
const lookMs = 10_000;

/** Which gateway reads which device, and whether it is there. The list of a site does not name them, so each device is asked. */
export function useGatewaysBehind(orgId: string, devices: readonly DeviceListing[]): BehindAll {
  const serials = useLoad((signal) => serialsOf(devices, signal), [devices]);
  const online = useLoad((signal) => onlineIn(orgId, signal), [orgId, devices], Math.floor(now.value / lookMs));
  return {
    of(deviceId) {
      const serial = serials.value?.get(deviceId);
      return serial !== undefined && online.value ? { serial, isOnline: online.value.get(serial) } : undefined;
    },
    problem: serials.problem ?? online.problem,
  };
}

async function serialsOf(devices: readonly DeviceListing[], signal: AbortSignal): Promise<Map<string, string>> {
  const asked = await Promise.all(
    devices.slice(0, mostAsked).map(({ id }) => api().call(getDevice, { params: { device_id: id }, signal })),
  );
  return new Map(asked.map(({ id, gateway_serial }) => [id, gateway_serial]));
}

async function onlineIn(orgId: string, signal: AbortSignal): Promise<Map<string, boolean>> {
  const gateways = await gather(api().pages(listGateways, { query: { org_id: orgId }, signal }));
  return new Map(gateways.map(({ gateway_serial, online }) => [gateway_serial, online]));
}
