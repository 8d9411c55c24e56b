import { type Device, type DeviceListing, getDevice } from '#contract/cloud/devices.ts';
import { listGateways } from '#contract/cloud/gateways.ts';
import { useLoad } from '../../parts/load.tsx';
import { now } from '../../parts/now.ts';
import { api } from '../session.ts';

/** The gateway of a device; `isOnline` is undefined if it belongs to another organization. */
export type DeviceGateway = { serial: string; isOnline: boolean | undefined };

export type DeviceGateways = { of(deviceId: string): DeviceGateway | undefined; problem: unknown };

const maxLookups = 100; // larger sites are shown without gateways
const refreshMs = 10_000;

/** Finds the gateway of each device and whether it is online. */
export function useDeviceGateways(orgId: string, devices: readonly DeviceListing[]): DeviceGateways {
  const serials = useLoad((signal) => loadSerials(devices, signal), [devices]);
  const online = useLoad(
    (signal) => loadOnlineStates(orgId, signal),
    [orgId, devices],
    Math.floor(now.value / refreshMs),
  );
  return {
    of(deviceId) {
      const serial = serials.value?.get(deviceId);
      return serial !== undefined && online.value ? { serial, isOnline: online.value.get(serial) } : undefined;
    },
    problem: serials.problem ?? online.problem,
  };
}

/** Loads devices with their gateways, which lists do not name. */
export const loadDevices = (listed: readonly { id: string }[], signal: AbortSignal): Promise<Device[]> =>
  Promise.all(listed.map(({ id }) => api().call(getDevice, { params: { device_id: id }, signal })));

async function loadSerials(devices: readonly DeviceListing[], signal: AbortSignal): Promise<Map<string, string>> {
  const loaded = await loadDevices(devices.slice(0, maxLookups), signal);
  return new Map(loaded.map(({ id, gateway_serial }) => [id, gateway_serial]));
}

async function loadOnlineStates(orgId: string, signal: AbortSignal): Promise<Map<string, boolean>> {
  const gateways = await Array.fromAsync(api().pages(listGateways, { query: { org_id: orgId }, signal }));
  return new Map(gateways.map(({ gateway_serial, online }) => [gateway_serial, online]));
}
