import { once } from 'node:events';
import { createServer } from 'node:net';
import { isOpen } from '#gateway/network/port-check.ts';
import { askService } from './answer.ts';
import { failureWords } from './failure-words.ts';
import { type Finding, findingsAbout } from './finding.ts';
import { knockAtBroker } from './mqtt-knock.ts';
import type { Scene } from './scene.ts';

type Port = { setting: string; host: string; port: number; speaks: 'http' | 'mqtt' | 'ws' | 'mqtts' };

const patienceMs = 1000;
const found = findingsAbout('ports');

/** Whether the ports that the programs would take are free, or held by them already. */
export async function checkPorts(scene: Scene): Promise<Finding[]> {
  const states = await Promise.all(portsOf(scene).map(async (port) => ({ ...port, state: await stateOf(port) })));
  const free = states.filter(({ state }) => state === 'free').map(({ port }) => port);
  const findings = states.filter(({ state }) => state !== 'free').map((held) => told(held, held.state, scene));
  if (free.length > 0)
    findings.push(found.ok(`${free.length === 1 ? 'Port' : 'Ports'} ${free.join(', ')} can be taken.`));
  return findings;
}

function portsOf({ cloud, gateway, price }: Scene): Port[] {
  const { HOST, CLOUD_PORT, MQTT_HOST, MQTT_PORT, MQTT_WEBSOCKET_PORT, MQTT_TLS_CERT, MQTT_TLS_PORT } = cloud;
  const ports: Port[] = [
    { setting: 'CLOUD_PORT', host: HOST, port: CLOUD_PORT, speaks: 'http' },
    { setting: 'GATEWAY_PORT', host: gateway.GATEWAY_HOST, port: gateway.GATEWAY_PORT, speaks: 'http' },
    { setting: 'PRICE_PORT', host: price.PRICE_HOST, port: price.PRICE_PORT, speaks: 'http' },
    { setting: 'MQTT_PORT', host: MQTT_HOST, port: MQTT_PORT, speaks: 'mqtt' },
    { setting: 'MQTT_WEBSOCKET_PORT', host: MQTT_HOST, port: MQTT_WEBSOCKET_PORT ?? 0, speaks: 'ws' },
    { setting: 'MQTT_TLS_PORT', host: MQTT_HOST, port: MQTT_TLS_CERT ? MQTT_TLS_PORT : 0, speaks: 'mqtts' },
  ];
  return ports.filter(({ port }) => port !== 0); // any free one is taken then, or none
}

type State = 'free' | 'ours' | 'held' | { refused: string };

async function stateOf({ host, port, speaks }: Port): Promise<State> {
  const reached = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  if (!(await isOpen(reached, port, patienceMs))) return tryToListen(host, port);
  if (speaks === 'http') return (await askService(`http://${reached}:${port}`)).kind === 'ours' ? 'ours' : 'held';
  if (speaks === 'mqtts') return 'ours'; // whose certificate it shows is not looked at here
  return (await knockAtBroker(`${speaks}://${reached}:${port}`)).isBroker ? 'ours' : 'held';
}

async function tryToListen(host: string, port: number): Promise<State> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return 'free';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EADDRINUSE' ? 'held' : { refused: failureWords(error) };
  } finally {
    server.close();
  }
}

function told({ setting, port, speaks }: Port, state: State, { isSet }: Scene): Finding {
  if (state === 'ours') {
    const holder = speaks === 'http' ? 'an Ohmstead that runs' : 'a broker that runs';
    return found.ok(`Port ${port} (${setting}) is held by ${holder}.`);
  }
  const next = `Set ${setting} to another port, or to 0 for any that is free.`;
  if (typeof state === 'object')
    return found.problem(`Port ${port} (${setting}) cannot be taken: ${state.refused}.`, next);
  const says = `Port ${port} (${setting}) is held by another program.`;
  if (isSet(setting)) return found.problem(says, next);
  return found.warning(`${says} The next free one would be taken.`, `End that program, or set ${setting}.`);
}
