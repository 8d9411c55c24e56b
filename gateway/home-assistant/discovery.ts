import { derKinds } from '#contract/gateway/reading.ts';
import type { AnnouncedFields } from './announced.ts';
import { expiryS } from './recent-values.ts';
import { sensorsOf } from './sensors.ts';
import type { HomeTopics } from './topics.ts';

export type GatewayInfo = { serial: string; version: string };

const originOf = ({ version }: GatewayInfo) => ({ name: 'Ohmstead', sw: version });

export function deviceConfig(
  topics: HomeTopics,
  gateway: GatewayInfo,
  device: { sn: string; make: string; model: string },
  fields: AnnouncedFields,
): object {
  const { sn, make, model } = device;
  const ofGateway = `${gateway.serial}_${sn}`;
  const sensors = derKinds.flatMap((kind) =>
    sensorsOf(kind, fields[kind] ?? []).map(({ id, ...sensor }) => [
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
  const status = { stat_t: topics.gatewayStatus, pl_on: 'online', pl_off: 'offline' };
  const state = (value: string) => ({
    stat_t: topics.gatewayState,
    avty_t: topics.gatewayStatus,
    val_tpl: `{{ ${value} }}`,
  });
  const isConnected = "'ON' if value_json.connected else 'OFF'";
  const components: [id: string, p: string, name: string, keys: object][] = [
    ['running', 'binary_sensor', 'Running', { dev_cla: 'running', ...status }],
    ['connectivity', 'binary_sensor', 'Connection to the platform', { dev_cla: 'connectivity', ...state(isConnected) }],
    [
      'waiting',
      'sensor',
      'Samples waiting for the platform',
      { stat_cla: 'measurement', ...state('value_json.waiting') },
    ],
    ['version', 'sensor', 'Version', state('value_json.version')],
  ];
  return {
    dev: { ids: [serial], name: `Ohmstead ${serial}`, mf: 'Ohmstead', mdl: 'Gateway', sn: serial, sw: version },
    o: originOf(gateway),
    cmps: Object.fromEntries(
      components.map(([id, p, name, keys]) => [
        id,
        { uniq_id: `${serial}_gateway_${id}`, ent_cat: 'diagnostic', p, name, ...keys },
      ]),
    ),
  };
}
