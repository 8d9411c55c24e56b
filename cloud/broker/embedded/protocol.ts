import type { Client as MqttClient } from 'aedes';
import type { Packet, Parser } from 'mqtt-packet';
import type { BrokerConnection } from './connection.ts';

const connectPacket = 0x10;
const levelOf311 = 4;
const maxFiltersPerPacket = 1000; // each costs some 20 µs of the event loop, and a client may hold 50
const prefixBytes = 14; // packet type, length of up to 4 bytes, name of up to 8 bytes with its length, level

/** CONNACK with return code 1, unacceptable protocol version. */
export const protocolLevelRefused = Buffer.from([0x20, 2, 0, 1]);

/**
 * Takes the chunks of a connection in order. Returns true once the CONNECT packet names another protocol level than that of
 * MQTT 3.1.1. Aedes accepts level 3, and closes without an answer on unknown levels.
 */
export function isOtherLevel(connection: Pick<BrokerConnection, 'beginning'>, chunk: Buffer): boolean {
  const { beginning } = connection;
  if (!beginning) return false;
  const prefix = Buffer.concat([beginning, chunk.subarray(0, prefixBytes - beginning.length)]);
  const level = protocolLevel(prefix);
  const isKnown = level !== undefined || prefix.length === prefixBytes;
  connection.beginning = isKnown ? undefined : prefix;
  return level !== undefined && level !== levelOf311;
}

/** Returns undefined while bytes are missing, and for packets that aedes refuses. */
function protocolLevel(prefix: Buffer): number | undefined {
  if (prefix[0] !== connectPacket) return undefined;
  const lastLengthByte = prefix.findIndex((byte, at) => at > 0 && byte < 0x80);
  if (lastLengthByte < 0 || lastLengthByte + 2 >= prefix.length) return undefined;
  const nameAt = lastLengthByte + 3;
  return prefix[nameAt + prefix.readUInt16BE(lastLengthByte + 1)];
}

// The types of aedes do not list its parser, and those of the parser not its settings.
type ClientParser = Parser & { settings: object };

const settings = { protocolVersion: levelOf311 };

/** Closes the connection on packets that MQTT 3.1.1 forbids and aedes accepts, and has it grant the QoS that we deliver. */
export function enforceProtocol(connection: BrokerConnection): void {
  const { _parser: parser } = connection.mqtt as MqttClient & { _parser: ClientParser };
  parser.prependListener('packet', (packet: Packet) => {
    const isLast = packet.cmd === 'disconnect';
    connection.isOver ||= isForbidden(packet);
    if (packet.cmd === 'connect') parser.settings = settings; // otherwise it keeps the packet, with the token
    if (connection.isOver) packet.cmd = 'auth'; // unknown to MQTT 3.1.1: aedes closes the connection
    connection.isOver ||= isLast;
    // The platform publishes with QoS 0, and no subscription raises that.
    if (packet.cmd === 'subscribe') for (const subscription of packet.subscriptions) subscription.qos = 0;
  });
}

const isFilterCount = ({ length }: readonly unknown[]): boolean => length > 0 && length <= maxFiltersPerPacket;

/** Numbers are those of normative statements in MQTT 3.1.1. */
function isForbidden(packet: Packet): boolean {
  switch (packet.cmd) {
    case 'connect':
      if (packet.protocolId !== 'MQTT') return true; // 3.1.2-1
      if (packet.password !== undefined && packet.username === undefined) return true; // 3.1.2-22
      return (packet.will?.qos ?? 0) > 2; // 3.1.2-14
    case 'publish':
      return packet.qos > 0 ? !packet.messageId : packet.dup; // 2.3.1-1, 3.3.1-2
    case 'subscribe':
      return !packet.messageId || !isFilterCount(packet.subscriptions); // 2.3.1-1, 3.8.3-3
    case 'unsubscribe':
      return !packet.messageId || !isFilterCount(packet.unsubscriptions); // 2.3.1-1, 3.10.3-2
    default:
      return false;
  }
}
