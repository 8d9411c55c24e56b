import { once } from 'node:events';
import { connect } from 'node:net';

/** Returns whether a TCP connection is accepted. Nothing is sent or read. */
export async function isOpen(host: string, port: number, timeoutMs: number): Promise<boolean> {
  const socket = connect({ host, port });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(timeoutMs) });
    return true;
  } catch {
    return false; // refused, unreachable or silent
  } finally {
    socket.destroy();
  }
}
