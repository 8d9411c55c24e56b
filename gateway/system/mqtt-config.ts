import { join } from 'node:path';
import { fieldProblem, orProblem, Problem } from '#contract/problem.ts';
import { readJsonOrWarn, removeFile, writeJson } from '#lib/atomic-file.ts';
import { asError } from '#lib/error-code.ts';
import type { Logger } from '#lib/log.ts';
import { parseBrokerAddress, readBrokerUrl } from '../links/mqtt/broker-address.ts';

const fields = ['mqtt_connection_str', 'mqtt_connection_fallback_str'] as const;

/** Addresses of the platform's broker; empty if not set. */
export type MqttStrings = Record<(typeof fields)[number], string>;

export type MqttConfig = Awaited<ReturnType<typeof openMqttConfig>>;

const unset: MqttStrings = { mqtt_connection_str: '', mqtt_connection_fallback_str: '' };
const hidden = '***';

/** Stores the broker that was set through the local API. */
export async function openMqttConfig(dataDir: string, log: Logger) {
  const path = join(dataDir, 'mqtt.json');
  const damagedMessage = 'the broker configuration was damaged and set aside';
  let strings = (await readJsonOrWarn<MqttStrings>(path, damagedMessage, log)) ?? unset;

  return {
    get: () => strings,

    shown: () => mapStrings((field) => hidePassword(strings[field])),

    async set(changes: Partial<MqttStrings>): Promise<void> {
      const changed = mapStrings((field) => changedString(field, strings[field], changes[field]));
      const isNothingGiven = fields.every((field) => changes[field] === undefined);
      const isNothingLeft = fields.every((field) => changed[field] === '');
      if (isNothingGiven || isNothingLeft) throw new Problem('invalid_request', `Give ${fields.join(' or ')}.`);
      await writeJson(path, changed).catch(orStorageFailed);
      strings = changed;
    },

    async clear(): Promise<void> {
      await removeFile(path).catch(orStorageFailed);
      strings = unset;
    },
  };
}

const mapStrings = (value: (field: keyof MqttStrings) => string): MqttStrings => ({
  mqtt_connection_str: value('mqtt_connection_str'),
  mqtt_connection_fallback_str: value('mqtt_connection_fallback_str'),
});

const orStorageFailed = orProblem('storage_failed', 'The broker configuration could not be stored.');

function changedString(field: keyof MqttStrings, before: string, asked: string | undefined): string {
  // An unchanged address with a hidden password keeps the password.
  if (asked === undefined || asked === hidePassword(before)) return before;
  if (asked === '') return '';
  const refused = (message: string): Problem => fieldProblem('invalid_request', `body.${field}`, message);
  if (!/:\/\/|:\d+$/.test(asked)) throw refused('must be mqtt://, mqtts://, ws:// or wss:// and a host');
  if (readBrokerUrl(asked)?.password === hidden) {
    throw refused(`needs the password itself; ${hidden} stands for a hidden one`);
  }
  try {
    parseBrokerAddress(asked);
  } catch (error) {
    throw refused(asError(error).message);
  }
  return asked;
}

function hidePassword(text: string): string {
  const url = readBrokerUrl(text);
  if (!url?.password) return text;
  url.password = hidden;
  return url.href;
}
