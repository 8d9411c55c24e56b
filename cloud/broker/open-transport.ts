import type { Clock } from '#lib/clock.ts';
import type { Logger } from '#lib/log.ts';
import type { CloudConfig } from '../config.ts';
import type { AcceptedLogin } from './rabbitmq/evictions.ts';
import type { RabbitFigures } from './rabbitmq.ts';
import type { Admission, Admitted, Transport } from './transport.ts';

/** How messages travel, and what it must hear of logins that a broker asked us about. */
export type CloudTransport = {
  transport: Transport;
  /** several processes of the platform share its messages */
  isShared: boolean;
  admitted(login: Admitted, clientId: string): void;
  /** how the messages of RabbitMQ fare */
  figures?: (() => RabbitFigures) | undefined;
};

export type TransportOptions = { mayMove: boolean; clock: Clock; log: Logger };

/** Opens the configured broker: RabbitMQ, else one in this process. Loads only the code of that one. */
export async function openTransport(
  config: CloudConfig,
  admission: Admission,
  { mayMove, clock, log }: TransportOptions,
): Promise<CloudTransport> {
  if (config.BROKER_URL) {
    const { createRabbitTransport } = await import('./rabbitmq.ts');
    const managementUrls = config.BROKER_MANAGEMENT_URL?.split(',') ?? [];
    const transport = createRabbitTransport({ urls: config.BROKER_URL.split(','), managementUrls, clock, log });
    return {
      transport,
      isShared: true,
      admitted: (login, clientId) => transport.admitted(acceptedLogin(login, clientId)),
      figures: transport.figures,
    };
  }
  const { createEmbeddedBroker } = await import('./embedded.ts');
  const { MQTT_TLS_CERT: cert, MQTT_TLS_KEY: key, MQTT_TLS_PORT: port } = config;
  const transport = createEmbeddedBroker({
    admission,
    host: config.MQTT_HOST,
    mqttPort: config.MQTT_PORT,
    websocketPort: config.MQTT_WEBSOCKET_PORT,
    tls: cert && key ? { cert, key, port } : undefined,
    mayMove,
    clock,
    log,
  });
  return { transport, isShared: false, admitted: () => {} };
}

function acceptedLogin({ client, expiresAt }: Admitted, clientId: string): AcceptedLogin {
  if (client.kind === 'gateway') return { username: client.serial, clientId, expiresAt };
  return { username: client.identityId, clientId, expiresAt, tokenId: client.tokenId };
}
