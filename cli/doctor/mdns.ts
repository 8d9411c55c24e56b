import { randomBytes } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { failureWords } from './failure-words.ts';
import { type Finding, findingsAbout } from './finding.ts';
import type { Scene } from './scene.ts';

const group = '224.0.0.251';
const port = 5353;
const patienceMs = 1000;
const found = findingsAbout('mDNS');
const next = 'Open UDP port 5353 in the firewall; in a container use the network of the host. Or set MDNS to false.';

/** Whether this machine can take part in what a gateway announces itself by. */
export async function checkMdns({ gateway: { MDNS } }: Scene): Promise<Finding[]> {
  if (!MDNS) return [found.ok('Announcing is off (MDNS); the gateway is found by its address.')];
  const socket = createSocket({ type: 'udp4', reuseAddr: true });
  try {
    socket.bind(port);
    await once(socket, 'listening');
    socket.addMembership(group);
    socket.setMulticastLoopback(true);
    if (await hearsItself(socket)) return [found.ok('This machine hears what is announced on its network.')];
    return [found.warning('This machine does not hear its own question on the local network.', next)];
  } catch (error) {
    return [found.warning(`This machine cannot join the group of mDNS: ${failureWords(error)}.`, next)];
  } finally {
    socket.close();
  }
}

async function hearsItself(socket: Socket): Promise<boolean> {
  const question = questionFor('_http._tcp.local', randomBytes(2));
  const heard = Promise.withResolvers<boolean>();
  socket.on('message', (message) => {
    if (message.equals(question)) heard.resolve(true);
  });
  socket.on('error', heard.reject);
  socket.send(question, port, group, (error) => error && heard.reject(error));
  return Promise.race([heard.promise, sleep(patienceMs, false, { ref: false })]);
}

/** One question for pointers (RFC 1035), with an id to know it by. */
function questionFor(name: string, id: Buffer): Buffer {
  const counts = Buffer.from([0, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
  const labels = name.split('.').map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`));
  return Buffer.concat([id, counts, ...labels, Buffer.from([0, 0, 12, 0, 1])]);
}
