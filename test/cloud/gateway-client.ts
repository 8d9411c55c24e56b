import { SignJWT } from 'jose';
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt';
import { telemetryTopic } from '#contract/topics.ts';
import type { GatewaySigner } from './people.ts';

/** The parts of a gateway that sign in at the broker. */
export type TokenSigner = Pick<GatewaySigner, 'serial' | 'privateKey'>;

/** The password that a gateway creates for each connection. */
export const brokerToken = (gateway: TokenSigner, now: number, lifeS = 3600, claims: object = {}): Promise<string> =>
  new SignJWT({ ...claims })
    .setProtectedHeader({ alg: 'ES256', typ: 'JWT', device: gateway.serial })
    .setIssuedAt(Math.floor(now / 1000))
    .setExpirationTime(Math.floor(now / 1000) + lifeS)
    .sign(gateway.privateKey);

export type GatewayClient = MqttClient & {
  /** Resolves with the PUBACK. */
  report(hardwareId: string, der: string, reading: object): Promise<void>;
};

/** Rejects when the broker closes before it has answered; without the last argument it would never settle. */
export const connectOnce = (url: string, options: IClientOptions): Promise<MqttClient> =>
  mqtt.connectAsync(url, { ...options, reconnectPeriod: 0 }, false);

/** A gateway connected to the broker. */
export async function connectGateway(url: string, gateway: GatewaySigner, now: number): Promise<GatewayClient> {
  const client = await connectOnce(url, {
    clientId: gateway.serial,
    username: gateway.serial,
    password: await brokerToken(gateway, now),
    protocolVersion: 4,
  });
  return Object.assign(client, {
    async report(hardwareId: string, der: string, reading: object): Promise<void> {
      await client.publishAsync(telemetryTopic(gateway.serial, hardwareId, der), JSON.stringify(reading), { qos: 1 });
    },
  });
}
