/** Where the MQTT plugin of RabbitMQ publishes and subscribes. */
export const exchange = 'amq.topic';

/** RabbitMQ's own translation between MQTT and AMQP. No level of our topics contains a dot. */
export const routingKey = (filter: string): string => filter.replaceAll('/', '.').replaceAll('+', '*');

export const topicOf = (routingKey: string): string => routingKey.replaceAll('.', '/');
