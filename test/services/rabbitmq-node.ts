import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';

const shipped = join(import.meta.dirname, '../../deploy/rabbitmq');

export type RabbitNode = { folder: string; name: string; amqp: number; mqtt: number; management: number; dist: number };

/** Folders and free ports for the nodes of a cluster; nothing is started yet. */
export async function planNodes(count: 1 | 3, suffix: string): Promise<RabbitNode[]> {
  const ports = new Set<number>();
  while (ports.size < count * 4) ports.add(await freePort());
  const free = [...ports];
  return Array.from({ length: count }, (_, index) => {
    const [amqp, mqtt, management, dist] = free.slice(index * 4, index * 4 + 4) as [number, number, number, number];
    return {
      folder: `node${index + 1}`,
      name: `ohmstead${index + 1}-${suffix}@localhost`,
      amqp,
      mqtt,
      management,
      dist,
    };
  });
}

export type NodeSettings = { authUrl: string; token: string; user: string; password: string; names: string[] };

/** Writes the files of a node: the shipped configuration with its placeholders filled in, and its environment. */
export function writeNode(clusterFolder: string, node: RabbitNode, settings: NodeSettings): void {
  const { authUrl, token, user, password, names } = settings;
  const blanks: Record<string, string | number | undefined> = {
    AMQP_LISTENER: `127.0.0.1:${node.amqp}`,
    MQTT_LISTENER: `127.0.0.1:${node.mqtt}`,
    MANAGEMENT_IP: '127.0.0.1',
    MANAGEMENT_PORT: node.management,
    PLATFORM_USER: user,
    PLATFORM_PASSWORD: password,
    CALLOUT_URL: authUrl,
    INTERNAL_TOKEN: token,
    NODE_1: names[0],
    NODE_2: names[1],
    NODE_3: names[2],
  };
  const folder = join(clusterFolder, node.folder);
  mkdirSync(folder);
  writeFileSync(join(folder, 'rabbitmq.conf'), fill(readFileSync(join(shipped, 'rabbitmq.conf'), 'utf8'), blanks));
  for (const file of ['enabled_plugins', 'advanced.config']) {
    writeFileSync(join(folder, file), readFileSync(join(shipped, file)));
  }
  const environment = {
    RUNNING_UNDER_SYSTEMD: 'true', // no shell between us and the node
    RABBITMQ_NODENAME: node.name,
    RABBITMQ_DIST_PORT: node.dist,
    RABBITMQ_CONF_ENV_FILE: join(folder, 'none'),
    RABBITMQ_CONFIG_FILE: join(folder, 'rabbitmq.conf'),
    RABBITMQ_ADVANCED_CONFIG_FILE: join(folder, 'advanced.config'),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'enabled_plugins'),
    RABBITMQ_MNESIA_BASE: join(folder, 'data'),
    RABBITMQ_LOG_BASE: folder,
    RABBITMQ_LOGS: '-',
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-kernel inet_dist_use_interface {127,0,0,1}',
  };
  const lines = Object.entries(environment).map(([name, value]) => `${name}='${value}'\n`);
  writeFileSync(join(folder, 'environment'), lines.join(''));
}

// A line whose placeholder stays empty is removed: a cluster of one has no second node.
const fill = (text: string, blanks: Record<string, string | number | undefined>): string =>
  text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .map((line) => line.replace(/\$\{(\w+)\}/gu, (blank, name: string) => String(blanks[name] ?? blank)))
    .filter((line) => !line.includes('${'))
    .join('\n');
