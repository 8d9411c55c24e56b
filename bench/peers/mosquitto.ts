import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort } from '#test/free-port.ts';
import type { ServerProcess } from '../measure/server-process.ts';
import { startPeer } from './peer-process.ts';

/** Starts Mosquitto without authentication, and without limits for slow consumers. */
const configOf = (port: number): string =>
  [
    `listener ${port} 127.0.0.1`,
    'allow_anonymous true',
    'max_inflight_messages 0',
    'max_queued_messages 0',
    'set_tcp_nodelay true',
    'log_dest none',
    '',
  ].join('\n');

export async function startMosquitto(file: string, folder: string): Promise<ServerProcess> {
  const port = await freePort();
  const config = join(folder, 'mosquitto.conf');
  await writeFile(config, configOf(port));
  const peer = await startPeer({
    file,
    args: ['-c', config],
    async answers() {
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      socket.destroy();
    },
  });
  const url = `mqtt://127.0.0.1:${port}`;
  return { ...peer, url, mqttUrl: url };
}
