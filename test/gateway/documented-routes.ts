import type { Form } from '#contract/gateway/form.ts';

/** A route as the document of the local API has it. */
export type Documented = {
  is: string;
  status: number;
  /** what the answer holds: `name:type`, a question mark where it may be missing, [] for what each item holds */
  fields: string | Record<Form, string>;
  body?: unknown;
  query?: string;
  /** asked of stand-ins: it would change the radio of the machine that runs the tests */
  isRadio?: true;
};

const said = 'status:string message:string';
const written = 'message:string address:integer value:integer';
const network =
  'wifiStatus:string wifiConnected:boolean localIP:string? ssid:string? rssi:integer? internetConnected:boolean';
const system =
  'time_utc_sec:integer uptime_seconds:integer temperature_celsius:number? memory_kb.total:number memory_kb.free:number ' +
  'memory_kb.used:number memory_kb.percent_used:number memory_kb.min:number memory_kb.largest:number ' +
  'processes_average.last_1min:number processes_average.last_5min:number processes_average.last_15min:number ' +
  'logging.enabled:boolean logging.level:integer gateway_info.deviceId:string gateway_info.cpuFreqMHz:number? ' +
  'gateway_info.flashSizeMB:number gateway_info.sdkVersion:string gateway_info.firmwareVersion:string ' +
  'gateway_info.publicKey:string gateway_info.network.wifiStatus:string zap.deviceId:string';
const profile = 'display_name:string profile:string connection_types:array device_type:string';
const categories = (...names: string[]): string =>
  `count:integer ${names.flatMap((name) => profile.split(' ').map((field) => `${name}[].${field}`)).join(' ')}`;
const entry =
  'type:string profile:string device_type:string sn:string ip:string port:integer unit_id:integer connected:boolean ' +
  'last_harvest:integer path:string ders:array ders[].type:string ders[].enabled:boolean';
const snapshot = ['pv', 'battery', 'meter']
  .flatMap((kind) =>
    ['type:string', 'timestamp:integer', 'read_time_ms:integer', 'make:string', 'W:number'].map((f) => `${kind}.${f}`),
  )
  .join(' ');
const queued = 'status:string sn:string action:string';

/** Every route of the document, in an order in which each has what it needs. */
export const documented: readonly Documented[] = [
  {
    is: 'GET /api/system',
    status: 200,
    fields: { later: `${system} gateway_info.network.mqttConnected:boolean`, earlier: system },
  },
  { is: 'POST /api/system/reboot', status: 200, fields: said },
  { is: 'POST /api/system/log_stream', status: 200, body: { enabled: true }, fields: 'enabled:boolean status:string' },
  { is: 'GET /api/network', status: 200, fields: { later: `${network} mqttConnected:boolean`, earlier: network } },
  {
    is: 'GET /api/wifi',
    status: 200,
    isRadio: true,
    fields: {
      later: 'ssids:array connected:string',
      earlier: 'ssids[].ssid:string ssids[].rssi:integer ssids[].auth:string',
    },
  },
  { is: 'POST /api/wifi', status: 200, isRadio: true, body: { ssid: 'Home', psk: 'right password' }, fields: said },
  { is: 'DELETE /api/wifi', status: 200, isRadio: true, fields: said },
  { is: 'GET /api/wifi/scan', status: 200, isRadio: true, fields: said },
  { is: 'POST /api/ble/stop', status: 200, isRadio: true, fields: said },
  { is: 'GET /api/system/mqtt', status: 200, fields: 'mqtt_connection_str:string mqtt_connection_fallback_str:string' },
  { is: 'POST /api/system/mqtt', status: 200, body: { mqtt_connection_str: 'mqtt://broker.local:1883' }, fields: said },
  { is: 'DELETE /api/system/mqtt', status: 200, fields: said },

  {
    is: 'GET /api/devices/supported',
    status: 200,
    fields: {
      later: categories('inverters', 'energy_meters', 'batteries', 'v2x_chargers'),
      earlier: categories('inverters', 'meters', 'ev_chargers'),
    },
  },
  {
    is: 'GET /api/devices/types',
    status: 200,
    fields:
      'connection_types[].type:string connection_types[].description:string connection_types[].parameters[].name:string ' +
      'connection_types[].parameters[].type:string connection_types[].parameters[].required:boolean',
  },
  {
    is: 'POST /api/devices',
    status: 201,
    body: 'sungrow',
    fields: 'message:string sn:string ders[].type:string ders[].enabled:boolean',
  },
  { is: 'GET /api/devices', status: 200, fields: `count:integer ${entry.replaceAll(/(\S+)/g, 'devices[].$1')}` },
  { is: 'GET /api/devices/{sn}', status: 501, fields: 'message:string' },
  { is: 'GET /api/devices/{sn}/data/json', status: 200, fields: `version:string format:string ${snapshot}` },
  { is: 'GET /api/devices/{sn}/data/raw', status: 200, fields: 'format:string data.ts:integer' },
  { is: 'GET /api/devices/{sn}/data/debug', status: 200, fields: 'sn:string message:string' },
  {
    is: 'POST /api/devices/{sn}/types',
    status: 200,
    body: { ders: [{ type: 'pv', enabled: true }] },
    fields: 'message:string sn:string',
  },
  { is: 'GET /api/devices/{sn}/ders', status: 200, fields: 'sn:string ders[].type:string ders[].enabled:boolean' },
  {
    is: 'POST /api/devices/{sn}/ders',
    status: 200,
    body: { ders: [{ type: 'battery', capacity: 9600 }] },
    fields: 'message:string sn:string',
  },

  {
    is: 'GET /api/devices/{sn}/registers/{address}',
    query: '?function_code=3',
    status: 200,
    fields: 'address:integer value:integer type:string registers:integer',
  },
  { is: 'POST /api/devices/{sn}/registers/{address}', status: 200, body: { value: 0xcc }, fields: written },
  {
    is: 'POST /api/devices/{sn}/registers',
    status: 200,
    body: { registers: { 13050: 0xcc } },
    fields: 'written:integer failed:integer',
  },
  {
    is: 'POST /api/devices/{sn}/registers',
    status: 200,
    body: { 13050: 0xcc },
    fields: 'message:string success:integer failed:integer',
  },
  { is: 'POST /api/devices/{sn}/write', status: 200, body: { addr: 13050, value: 0xcc }, fields: 'message:string' },

  {
    is: 'POST /api/network/port-check',
    status: 200,
    body: { host: '127.0.0.1', port: 9 },
    fields: 'host:string port:integer open:boolean',
  },
  {
    is: 'POST /api/modbus/read',
    status: 200,
    body: { register: 13049, count: 2 },
    fields:
      'ip:string port:integer unit_id:integer register:integer register_type:string values:array values[]:integer',
  },

  { is: 'POST /api/control/{sn}/init', status: 202, fields: queued },
  { is: 'POST /api/control/{sn}/battery', status: 202, fields: `${queued} power_w:number` },
  { is: 'POST /api/control/{sn}/curtail', status: 202, fields: `${queued} power_w:number` },
  { is: 'POST /api/control/{sn}/curtail/disable', status: 202, fields: queued },
  { is: 'POST /api/control/{sn}/deinit', status: 202, fields: queued },

  { is: 'GET /api/crypto', status: 200, fields: 'deviceName:string serialNumber:string publicKey:string' },
  { is: 'POST /api/crypto', status: 200, body: { wallet: 'abc' }, fields: 'idAndWallet:string signature:string' },
  { is: 'POST /api/crypto/sign', status: 200, body: {}, fields: 'sign:string message:string' },
  { is: 'GET /api/name', status: 200, fields: 'name:string' },
  { is: 'GET /api/debug', status: 200, fields: 'status:string heap:object tasks:array' },
  { is: 'POST /api/echo', status: 200, body: { any: ['thing'] }, fields: 'echo:string' },

  { is: 'DELETE /api/devices/{sn}', status: 200, fields: 'message:string' },
  { is: 'DELETE /api/devices', status: 200, fields: 'message:string' },
  { is: 'POST /api/system/factory-reset', status: 200, isRadio: true, fields: 'message:string' },
];

/** Ours, beside the document. */
export const beyond = [
  'POST /api/devices/detect',
  'GET /api/crypto/signatures',
  'POST /api/control/{sn}/confirm',
  'GET /api/logs',
  'GET /api/system/management',
  'POST /api/system/management',
  'GET /api/plan',
  'POST /api/plan',
  'GET /api/status',
  'GET /health',
  'GET /ready',
  'GET /metrics',
];
