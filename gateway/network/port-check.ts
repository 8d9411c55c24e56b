import { connect } from 'node:net';

/** Returns whether a TCP connection is accepted. Nothing is sent or read. */
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
    socket.on('error', () => end(false)); // refused or unreachable
  });
}
