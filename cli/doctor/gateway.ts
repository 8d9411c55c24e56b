import { randomBytes } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '#contract/client.ts';
import { getStatus } from '#contract/gateway/status.ts';
import { getSystem } from '#contract/gateway/system.ts';
import { Problem } from '#contract/problem.ts';
import { plainMessage } from '../line/plain-message.ts';
import type { DoctorContext } from './context.ts';
import { failureReason, type Outcomes, ok, problem, warning } from './finding.ts';

/** Checks the local API of the gateway on this machine and its connection to the platform. */
export async function checkGateway(scene: DoctorContext): Promise<Outcomes> {
  const answer = await scene.gatewayAnswer;
  const { url } = answer;
  if (answer.kind === 'none') {
    const next = 'Start one with ohmstead gateway; ohmstead gateway find lists those on the local network.';
    return warning(`Cannot reach a gateway at ${url}: ${answer.why}.`, next);
  }
  if (answer.kind === 'other') {
    return problem(`The program at ${url} is not a gateway.`, 'Set GATEWAY_PORT to another port.');
  }
  const api = createClient({ baseUrl: url });
  try {
    const [{ gateway_info }, { uplink, claimed }] = await Promise.all([api.call(getSystem), api.call(getStatus)]);
    const who = `The gateway ${gateway_info.deviceId} answers at ${url}`;
    if (uplink.connected) {
      const guard = claimed
        ? ' Changing its broker or resetting it requires its local token (ohmstead gateway token).'
        : '';
      return ok(`${who} and is connected to its platform.${guard}`);
    }
    if (!uplink.broker)
      return warning(`${who}; no platform is configured.`, 'Set UPLINK_URL to the broker of a platform.');
    const next = 'Check the findings about the broker, and that the gateway has been claimed.';
    const says = `${who} and is not connected to its broker`;
    if (uplink.waiting === 0) return warning(`${says}.`, next);
    return problem(`${says}; ${uplink.waiting} samples are waiting in its outbox.`, next);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return problem(
      `The program at ${url} is not a gateway: ${plainMessage(error.message)}`,
      'Set GATEWAY_PORT to another port.',
    );
  }
}

const mdnsGroup = '224.0.0.251';
const mdnsPort = 5353;
const echoTimeoutMs = 1000;
const openFirewall = 'Open UDP port 5353 in the firewall; in a container, use the host network. Or set MDNS to false.';

/** Checks that this machine can send and receive mDNS, by which gateways announce themselves. */
export async function checkMdns({ gateway: { MDNS } }: DoctorContext): Promise<Outcomes> {
  if (!MDNS) return ok('mDNS is off (MDNS); find the gateway by its address.');
  const socket = createSocket({ type: 'udp4', reuseAddr: true });
  try {
    socket.bind(mdnsPort);
    await once(socket, 'listening');
    socket.addMembership(mdnsGroup);
    socket.setMulticastLoopback(true);
    if (await receivesOwnQuery(socket)) return ok('This machine receives mDNS on the local network.');
    return warning('This machine does not receive its own mDNS query on the local network.', openFirewall);
  } catch (error) {
    return warning(`This machine cannot join the mDNS group: ${failureReason(error)}.`, openFirewall);
  } finally {
    socket.close();
  }
}

async function receivesOwnQuery(socket: Socket): Promise<boolean> {
  const question = encodeQuery('_http._tcp.local', randomBytes(2));
  const heard = Promise.withResolvers<boolean>();
  socket.on('message', (message) => {
    if (message.equals(question)) heard.resolve(true);
  });
  socket.on('error', heard.reject);
  socket.send(question, mdnsPort, mdnsGroup, (error) => error && heard.reject(error));
  return Promise.race([heard.promise, sleep(echoTimeoutMs, false, { ref: false })]);
}

/** Encodes a PTR query (RFC 1035) with this id. */
function encodeQuery(name: string, id: Buffer): Buffer {
  const counts = Buffer.from([0, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
  const labels = name.split('.').map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`));
  return Buffer.concat([id, counts, ...labels, Buffer.from([0, 0, 12, 0, 1])]);
}
