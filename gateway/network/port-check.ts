import { connect } from 'node:net';

/** Whether something accepts a TCP connection there. Nothing is sent, and what it says is not read. */
export function isOpen(address: string, port: number, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port });
    const timer = setTimeout(() => end(false), timeoutMs);
    const end = (isOpen: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', () => end(true));
    socket.on('error', () => end(false)); // refused, no route, no such network: closed to us
  });
}
