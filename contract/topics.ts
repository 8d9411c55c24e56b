/** Converts a hardware id or DER name for use in topics: no separators, wildcards or characters that need escaping. */
export const topicId = (name: string): string => name.replace(/[^A-Za-z0-9_-]/gu, '_');

const version = 'json/v1';

export const telemetryTopic = (serial: string, hardwareId: string, der: string): string =>
  `gateways/${serial}/devices/${topicId(hardwareId)}/ders/${topicId(der)}/telemetry/${version}`;

export const stateTopic = (serial: string): string => `gateways/${serial}/state/${version}`;

/** The earlier form of the gateway API uses a different root. */
export const logTopic = (serial: string, form: 'earlier' | 'later' = 'later'): string =>
  form === 'earlier' ? `logs/${serial}/raw` : `gateways/${serial}/logs/raw`;

/** Topic on which the platform acknowledges stored samples. */
export const telemetryAckTopic = (serial: string): string => `gateways/${serial}/telemetry/ack`;

/** Topic on which the platform publishes its deployment id and signing keys after a gateway has subscribed. */
export const platformTopic = (serial: string): string => `control/${serial}/platform`;

/** `keys` is the signed list of contract/manage.ts. */
export const platformMessage = (deploymentId: string, keys: string): string =>
  JSON.stringify({ deployment_id: deploymentId, keys });

/** Topic on which the platform asks a gateway to scan, add and change devices, signed with a key of the platform. */
export const manageRequestTopic = (serial: string): string => `control/${serial}/manage/requests`;

export const manageAnswerTopic = (serial: string): string => `gateways/${serial}/manage/answers`;

/** Topic on which the platform publishes the signed plan that a gateway carries out. */
export const planTopic = (serial: string): string => `control/${serial}/plan`;

const controlKinds = ['battery', 'pv'] as const;
export type ControlKind = (typeof controlKinds)[number];

export const commandTopic = (serial: string, kind: ControlKind, hardwareId: string): string =>
  `control/${serial}/${kind}/${topicId(hardwareId)}/ems/commands`;

/** Returns the topic for the acknowledgement of a command; keeps the sender's spelling of the device. */
export const ackTopicOf = (ofCommand: string): string => ofCommand.replace(/commands$/, 'acks');

export const commandAckTopic = (serial: string, kind: ControlKind, hardwareId: string): string =>
  ackTopicOf(commandTopic(serial, kind, hardwareId));

/** Topics of DERs on which only the platform publishes. */
export const derControlFilter = (serial: string): string => `gateways/${serial}/devices/+/ders/+/control/#`;

export const commandFilters = (serial: string): string[] => [
  ...controlKinds.map((kind) => `control/${serial}/${kind}/+/ems/commands`),
  derControlFilter(serial),
];

/** All topics on which gateways publish. Not `gateways/#`, because the platform publishes under the same root. */
export const gatewayFilters = [
  'gateways/+/devices/+/ders/+/telemetry/#',
  'gateways/+/state/#',
  'gateways/+/logs/#',
  'gateways/+/manage/#',
  'logs/+/raw',
  'control/+/+/+/ems/acks',
];

/** Topic on which members of an organization receive the telemetry of a DER. */
export const orgTelemetryTopic = (place: {
  org_id: string;
  site_id: string;
  device_id: string;
  der_id: string;
}): string =>
  `orgs/${place.org_id}/sites/${place.site_id}/devices/${place.device_id}/ders/${place.der_id}/telemetry/${version}`;

export type GatewayTopic =
  | { kind: 'telemetry'; serial: string; device: string; der: string }
  | { kind: 'state' | 'logs' | 'manage-answer'; serial: string }
  | { kind: 'command-ack'; serial: string; control: ControlKind; device: string };

let lastTopic = '';
let lastParsed: GatewayTopic | undefined;

/** Parses a topic that a gateway publishes on; undefined for unknown topics. */
export function parseGatewayTopic(topic: string): GatewayTopic | undefined {
  // The same topic is parsed several times while a message is processed.
  if (topic !== lastTopic) {
    lastParsed = readGatewayTopic(topic);
    lastTopic = topic;
  }
  return lastParsed;
}

function readGatewayTopic(topic: string): GatewayTopic | undefined {
  const level = topic.split('/');
  const serial = level[1];
  if (!serial) return undefined;
  if (topic === logTopic(serial, 'earlier')) return { kind: 'logs', serial };
  if (level[0] === 'gateways') {
    const rest = level.slice(2).join('/');
    if (rest === `state/${version}`) return { kind: 'state', serial };
    if (rest === 'logs/raw') return { kind: 'logs', serial };
    if (rest === 'manage/answers') return { kind: 'manage-answer', serial };
    const [, , devices, device, ders, der, telemetry, format, number, ...more] = level;
    const isTelemetry = devices === 'devices' && ders === 'ders' && telemetry === 'telemetry' && more.length === 0;
    if (!isTelemetry || `${format}/${number}` !== version || !device || !der) return undefined;
    return { kind: 'telemetry', serial, device, der };
  }
  const about = readControl(level, 'acks');
  return about && { kind: 'command-ack', serial, control: about.kind, device: about.device };
}

export type CommandTopic = { serial: string; kind: ControlKind; device: string };

export const parseCommandTopic = (topic: string): CommandTopic | undefined => readControl(topic.split('/'), 'commands');

function readControl(level: readonly string[], end: 'acks' | 'commands'): CommandTopic | undefined {
  const [control, serial, name, device, ems, last, ...more] = level;
  const kind = controlKinds.find((known) => known === name);
  const isControl = control === 'control' && ems === 'ems' && last === end && more.length === 0;
  return isControl && serial && kind && device ? { serial, kind, device } : undefined;
}
