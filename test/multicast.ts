import { createSocket } from 'node:dgram';
import { once } from 'node:events';

const group = '224.0.0.251';

/** Reason why multicast is unavailable here, or false. */
export async function multicastMissing(): Promise<string | false> {
  const socket = createSocket({ type: 'udp4', reuseAddr: true });
  try {
    socket.bind(0);
    await once(socket, 'listening');
    socket.addMembership(group);
    const heard = once(socket, 'message', { signal: AbortSignal.timeout(2000) });
    socket.send('ping', socket.address().port, group);
    await heard;
    return false;
  } catch (error) {
    return `multicast does not work on this machine: ${String(error)}`;
  } finally {
    socket.close();
  }
}
