import type { CloudConfig } from '../config.ts';
import type { CommonDeps } from '../store/store.ts';
import type { Admission, Transport } from './transport.ts';

export type TransportOptions = CommonDeps & { mayMove: boolean };

/** Opens the configured broker: RabbitMQ, else one in this process, alone or with others. Loads only the code of that one. */
export async function openTransport(
  config: CloudConfig,
  admission: Admission,
  { mayMove, store, clock, log }: TransportOptions,
): Promise<Transport> {
  if (config.BROKER_URL) {
    const { createRabbitTransport } = await import('./rabbitmq.ts');
    const managementUrls = config.BROKER_MANAGEMENT_URL?.split(',') ?? [];
    return createRabbitTransport({ urls: config.BROKER_URL.split(','), managementUrls, clock, log });
  }
  const { MQTT_TLS_CERT: cert, MQTT_TLS_KEY: key, MQTT_TLS_PORT: port } = config;
  const options = {
    admission,
    host: config.MQTT_HOST,
    mqttPort: config.MQTT_PORT,
    websocketPort: config.MQTT_WEBSOCKET_PORT,
    tls: cert && key ? { cert, key, port } : undefined,
    mayMove,
    clock,
    log,
  };
  if (config.BUS_URL) {
    const { createClusterTransport } = await import('./cluster.ts');
    return createClusterTransport({ ...options, store, busUrls: config.BUS_URL.split(',') });
  }
  const { createEmbeddedBroker } = await import('./embedded.ts');
  return createEmbeddedBroker(options);
}
