import { once } from 'node:events';
import { createServer } from 'node:net';
import { isOpen } from '#gateway/network/port-check.ts';
import { errorCode } from '#lib/error-code.ts';
import { probeBroker } from './broker.ts';
import type { DoctorContext } from './context.ts';
import { failureReason, type Outcome, ok, problem, warning } from './finding.ts';
import { probeService } from './probe.ts';

type Port = { setting: string; host: string; port: number; speaks: 'http' | 'mqtt' | 'ws' | 'mqtts' };

const timeoutMs = 1000;

/** Checks that the ports of the programs are free, or used by these programs. */
export async function checkPorts(scene: DoctorContext): Promise<Outcome[]> {
  const states = await Promise.all(portsOf(scene).map(async (port) => ({ ...port, state: await stateOf(port) })));
  const free = states.filter(({ state }) => state === 'free').map(({ port }) => port);
  const findings = states.filter(({ state }) => state !== 'free').map((held) => describePort(held, held.state, scene));
  if (free.length > 0)
    findings.push(
      ok(`${free.length === 1 ? 'Port' : 'Ports'} ${free.join(', ')} ${free.length === 1 ? 'is' : 'are'} free.`),
    );
  return findings;
}

function portsOf({ cloud, gateway, price }: DoctorContext): Port[] {
  const { HOST, CLOUD_PORT, MQTT_HOST, MQTT_PORT, MQTT_WEBSOCKET_PORT, MQTT_TLS_CERT, MQTT_TLS_PORT } = cloud;
  const ports: Port[] = [
    { setting: 'CLOUD_PORT', host: HOST, port: CLOUD_PORT, speaks: 'http' },
    { setting: 'GATEWAY_PORT', host: gateway.GATEWAY_HOST, port: gateway.GATEWAY_PORT, speaks: 'http' },
    { setting: 'PRICE_PORT', host: price.PRICE_HOST, port: price.PRICE_PORT, speaks: 'http' },
    { setting: 'MQTT_PORT', host: MQTT_HOST, port: MQTT_PORT, speaks: 'mqtt' },
    { setting: 'MQTT_WEBSOCKET_PORT', host: MQTT_HOST, port: MQTT_WEBSOCKET_PORT ?? 0, speaks: 'ws' },
    { setting: 'MQTT_TLS_PORT', host: MQTT_HOST, port: MQTT_TLS_CERT ? MQTT_TLS_PORT : 0, speaks: 'mqtts' },
  ];
  return ports.filter(({ port }) => port !== 0); // 0 means any free port, or none
}

type State = 'free' | 'ours' | 'held' | { refused: string };

async function stateOf({ host, port, speaks }: Port): Promise<State> {
  const reached = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  if (!(await isOpen(reached, port, timeoutMs))) return tryToListen(host, port);
  if (speaks === 'http') return (await probeService(`http://${reached}:${port}`)).kind === 'ours' ? 'ours' : 'held';
  if (speaks === 'mqtts') return 'ours'; // this check does not verify the certificate
  return (await probeBroker(`${speaks}://${reached}:${port}`)).isBroker ? 'ours' : 'held';
}

async function tryToListen(host: string, port: number): Promise<State> {
  await using server = createServer();
  try {
    await once(server.listen(port, host), 'listening');
    return 'free';
  } catch (error) {
    return errorCode(error) === 'EADDRINUSE' ? 'held' : { refused: failureReason(error) };
  }
}

function describePort({ setting, port, speaks }: Port, state: State, { isSet }: DoctorContext): Outcome {
  if (state === 'ours') {
    const holder = speaks === 'http' ? 'a running Ohmstead' : 'a running broker';
    return ok(`Port ${port} (${setting}) is used by ${holder}.`);
  }
  const next = `Set ${setting} to another port, or to 0 for any free port.`;
  if (typeof state === 'object') return problem(`Cannot listen on port ${port} (${setting}): ${state.refused}.`, next);
  const says = `Port ${port} (${setting}) is used by another program.`;
  if (isSet(setting)) return problem(says, next);
  return warning(`${says} The next free port would be used.`, `Stop that program, or set ${setting}.`);
}
