/** RabbitMQ's own translation between MQTT and AMQP. No level of our topics contains a dot. */
export const routingKey = (filter: string): string => filter.replaceAll('/', '.').replaceAll('+', '*');

export const topicOf = (routingKey: string): string => routingKey.replaceAll('.', '/');

export const hasWildcard = (filter: string): boolean => /[+#]/u.test(filter);

export function matches(filter: string, topic: string): boolean {
  const [wanted, levels] = [filter.split('/'), topic.split('/')];
  for (const [index, level] of wanted.entries()) {
    if (level === '#') return true;
    if (index >= levels.length || (level !== '+' && level !== levels[index])) return false;
  }
  return wanted.length === levels.length;
}
