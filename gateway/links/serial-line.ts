import { once } from 'node:events';
import { read } from 'node:fs';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { promisify } from 'node:util';
import type { LinuxBindingInterface, LinuxPortBinding } from '@serialport/bindings-cpp';
import { errorCode } from '#lib/error-code.ts';
import { hostPort, LinkError, NotConnected, Refused } from './link-error.ts';

export type LineSettings = {
  baudRate: number;
  dataBits: 5 | 6 | 7 | 8;
  parity: 'none' | 'even' | 'odd';
  stopBits: 1 | 1.5 | 2;
};

export type SerialSettings = LineSettings & {
  /** path of a serial port, or tcp://address:port of an adapter on the network */
  port: string;
};

/** Bytes in both directions, over a serial port or over TCP. */
export type ByteLine = {
  write(bytes: Uint8Array): void;
  onData(take: (bytes: Uint8Array) => void): void;
  /** Called once, however the line ends; with the error when it did not end in order. */
  onClose(take: (error?: Error) => void): void;
  /** Returns when the port is free for others. */
  close(): Promise<void>;
};

const connectTimeoutMs = 3000; // leaves room for one lost SYN, which is repeated after a second
const readBytes = promisify(read);

export async function openSerialLine(settings: SerialSettings): Promise<ByteLine> {
  const endpoint = tcpEndpoint(settings.port);
  return endpoint ? openTcpLine(endpoint.host, endpoint.port) : openPort(settings);
}

/** Host and port of tcp://host:port; undefined for a path. */
export function tcpEndpoint(port: string): { host: string; port: number } | undefined {
  if (!port.startsWith('tcp://')) return undefined;
  const url = URL.parse(port);
  if (!url?.hostname || !url.port) throw new LinkError(`${port} is not an address like tcp://192.168.1.20:8899.`);
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port) };
}

export async function openTcpLine(host: string, port: number): Promise<ByteLine> {
  const socket = connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: 10_000 });
  const line = byteLine(socket, () => socket.destroy());
  const late = AbortSignal.timeout(connectTimeoutMs);
  try {
    await once(socket, 'connect', { signal: late });
    return line;
  } catch (error) {
    socket.destroy();
    const name = hostPort(host, port);
    if (!late.aborted) throw connectFailure(name, error);
    throw new NotConnected(`${name} did not accept a connection within ${connectTimeoutMs / 1000} s.`);
  }
}

function connectFailure(name: string, cause: unknown): NotConnected {
  const code = errorCode(cause);
  if (code === 'ECONNREFUSED')
    return new Refused(`${name} refuses the connection: nothing listens on that port.`, { cause });
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH' || code === 'EHOSTDOWN')
    return new NotConnected(`${name} cannot be reached: it is not on the network.`, { cause });
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new NotConnected(`No connection to ${name}: ${reason}.`, { cause });
}

async function openPort({ port, ...settings }: SerialSettings): Promise<ByteLine> {
  // Loaded on demand: a gateway without serial devices does not need the native binding.
  const { SerialPortStream } = await import('@serialport/stream');
  const { autoDetect } = await import('@serialport/bindings-cpp');
  const binding = autoDetect() as LinuxBindingInterface; // the other bindings have the same interface
  const stream = new SerialPortStream<LinuxBindingInterface>({
    binding: { ...binding, open: async (options) => endingWhenPulledOut(await binding.open(options)) },
    path: port,
    ...settings,
    stopBits: settings.stopBits === 1 ? 1 : 2, // Linux has one setting for 1.5 and 2
    autoOpen: false,
    highWaterMark: 4096,
  });
  const line = byteLine(stream, () => {
    if (stream.isOpen) stream.close((failure) => failure && stream.destroy()); // emits 'close'
  });
  await new Promise<void>((resolve, reject) => {
    stream.open((cause) => (cause ? reject(new LinkError(portFailure(port, cause.message), { cause })) : resolve()));
  });
  return line;
}

/** Ends a port that was unplugged: its reads return at once, without bytes, and would occupy a whole core. */
function endingWhenPulledOut(port: LinuxPortBinding): LinuxPortBinding {
  port.read = async (buffer, offset, length) => {
    while (port.fd !== null) {
      try {
        const { bytesRead } = await readBytes(port.fd, buffer, offset, length, null);
        if (bytesRead === 0) throw new Error('The serial port was unplugged.');
        return { buffer, bytesRead };
      } catch (error) {
        if (errorCode(error) !== 'EAGAIN') throw error;
      }
      if (port.isOpen) await readable(port); // polling a closed port crashes the process
    }
    throw Object.assign(new Error('The serial port is closed.'), { canceled: true });
  };
  return port;
}

function readable({ poller }: LinuxPortBinding): Promise<void> {
  return new Promise((resolve, reject) => {
    poller.once('readable', (error: Error | null) => (error ? reject(error) : resolve()));
  });
}

// The binding provides no error codes, only the text of the system.
function portFailure(port: string, reason: string): string {
  if (/no such (file|device)/i.test(reason))
    return `Serial port ${port} not found: plug the adapter in, or correct the path.`;
  if (/permission denied/i.test(reason))
    return `The gateway may not open ${port}: add its user to the group that owns the port, usually dialout.`;
  if (/cannot lock|busy/i.test(reason))
    return `The serial port ${port} is in use by another program: end that program.`;
  if (/inappropriate ioctl|not a tty/i.test(reason)) return `${port} is not a serial port.`;
  return `The serial port ${port} cannot be opened: ${reason}.`;
}

function byteLine(stream: Duplex, end: () => void): ByteLine {
  let error: Error | undefined;
  let onClosed: ((error?: Error) => void) | undefined;
  stream.on('error', (cause) => {
    error ??= cause;
    end();
  });
  const closed = new Promise<void>((resolve) => {
    // An unplugged serial port passes its error here; a socket has emitted 'error' before.
    stream.once('close', (reason: unknown) => {
      if (reason instanceof Error) error ??= reason;
      resolve();
      onClosed?.(error);
    });
  });
  return {
    write: (bytes) => void (stream.writable && stream.write(bytes)),
    onData: (take) => void stream.on('data', take),
    onClose: (take) => {
      onClosed = take;
    },
    close() {
      end();
      return closed;
    },
  };
}
