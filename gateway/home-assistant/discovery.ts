import { derKinds } from '#contract/gateway/reading.ts';
import type { ToldFields } from './announced.ts';
import { sensorsOf } from './sensors.ts';
import { expiryS } from './told-values.ts';
import type { HomeTopics } from './topics.ts';

export type GatewayInfo = { serial: string; version: string };

const originOf = ({ version }: GatewayInfo) => ({ name: 'Ohmstead', sw: version });

/** Returns the discovery message of a device. */
export function deviceConfig(
  topics: HomeTopics,
  gateway: GatewayInfo,
  device: { sn: string; make: string; model: string },
  told: ToldFields,
): object {
  const { sn, make, model } = device;
  const ofGateway = `${gateway.serial}_${sn}`;
  const sensors = derKinds.flatMap((kind) =>
    sensorsOf(kind, told[kind] ?? []).map(({ id, ...sensor }) => [
      `${kind}_${id}`,
      {
        p: 'sensor',
        uniq_id: `${ofGateway}_${kind}_${id}`,
        stat_t: topics.derState(sn, kind),
        exp_aft: expiryS,
        ...sensor,
      },
    ]),
  );
  return {
    dev: { ids: [ofGateway], name: `${make} ${sn}`, mf: make, mdl: model, sn, via_device: gateway.serial },
    o: originOf(gateway),
    avty: [{ t: topics.gatewayStatus }, { t: topics.deviceStatus(sn) }],
    avty_mode: 'all',
    cmps: Object.fromEntries(sensors),
  };
}

/** Returns the discovery message of the gateway, to which its devices refer. */
export function gatewayConfig(topics: HomeTopics, gateway: GatewayInfo): object {
  const { serial, version } = gateway;
  const component = (id: string, keys: object): [string, object] => [
    id,
    { uniq_id: `${serial}_gateway_${id}`, ent_cat: 'diagnostic', ...keys },
  ];
  const ofState = { stat_t: topics.gatewayState, avty_t: topics.gatewayStatus };
  return {
    dev: { ids: [serial], name: `Ohmstead ${serial}`, mf: 'Ohmstead', mdl: 'Gateway', sn: serial, sw: version },
    o: originOf(gateway),
    cmps: Object.fromEntries([
      component('running', {
        p: 'binary_sensor',
        name: 'Running',
        dev_cla: 'running',
        stat_t: topics.gatewayStatus,
        pl_on: 'online',
        pl_off: 'offline',
      }),
      component('connectivity', {
        p: 'binary_sensor',
        name: 'Connection to the platform',
        dev_cla: 'connectivity',
        ...ofState,
        val_tpl: "{{ 'ON' if value_json.connected else 'OFF' }}",
      }),
      component('waiting', {
        p: 'sensor',
        name: 'Samples waiting for the platform',
        stat_cla: 'measurement',
        ...ofState,
        val_tpl: '{{ value_json.waiting }}',
      }),
      component('version', { p: 'sensor', name: 'Version', ...ofState, val_tpl: '{{ value_json.version }}' }),
    ]),
  };
}
