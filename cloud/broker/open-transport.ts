import type { Clock } from '#lib/clock.ts';
import type { Logger } from '#lib/log.ts';
import type { CloudConfig } from '../config.ts';
import type { Admission, Transport } from './transport.ts';

export type TransportOptions = { mayMove: boolean; clock: Clock; log: Logger };

/** Opens the configured broker: RabbitMQ, else one in this process. Loads only the code of that one. */
export async function openTransport(
  config: CloudConfig,
  admission: Admission,
  { mayMove, clock, log }: TransportOptions,
): Promise<Transport> {
  if (config.BROKER_URL) {
    const { createRabbitTransport } = await import('./rabbitmq.ts');
    const managementUrls = config.BROKER_MANAGEMENT_URL?.split(',') ?? [];
    return createRabbitTransport({ urls: config.BROKER_URL.split(','), managementUrls, clock, log });
  }
  const { createEmbeddedBroker } = await import('./embedded.ts');
  const { MQTT_TLS_CERT: cert, MQTT_TLS_KEY: key, MQTT_TLS_PORT: port } = config;
  return createEmbeddedBroker({
    admission,
    host: config.MQTT_HOST,
    mqttPort: config.MQTT_PORT,
    websocketPort: config.MQTT_WEBSOCKET_PORT,
    tls: cert && key ? { cert, key, port } : undefined,
    mayMove,
    clock,
    log,
  });
}
