import type { IClientOptions, IClientPublishOptions } from 'mqtt';
import { LinkError } from '../link-error.ts';

const prepareMs = 10_000;
const endMs = 1000;

/** Opens one connection to a broker. It does not reconnect, and ends after an error or a packet above the size limit. */
export async function connectOnce(url: string, options: IClientOptions, maxPacketBytes: number) {
  const { connect } = await import('#lib/mqtt.ts');
  const client = connect(url, {
    keepalive: 30, // s
    connectTimeout: 10_000,
    ...options,
    protocolVersion: 4,
    clean: true,
    reschedulePings: false, // otherwise a client that sends all the time never pings
    reconnectPeriod: 0,
    resubscribe: false,
    queueQoSZero: false,
  });

  let fault: Error | undefined;
  let unread = 0; // bytes since the last complete packet
  function abandon(reason?: Error): void {
    fault ??= reason;
    client.stream.destroy();
  }
  client.stream.on('data', ({ length }: Buffer) => {
    unread += length;
    if (unread <= maxPacketBytes) return;
    abandon(new LinkError(`The broker at ${new URL(url).host} sends a packet of more than ${maxPacketBytes} bytes.`));
  });
  client.on('packetreceive', () => {
    unread = 0;
  });
  client.on('error', abandon); // also after bytes that are not MQTT
  const unanswered = new Set<(error?: Error) => void>();
  const ended = new Promise<Error>((resolve) => {
    client.once('close', () => {
      const reason = fault ?? new Error('The broker closed the connection.');
      for (const answer of unanswered) answer(reason);
      resolve(reason);
    });
  });

  return {
    client,
    /** resolves with the reason */
    ended,
    /** Calls `done` on the broker's acknowledgement, or with an error when there will be none. */
    publish(topic: string, payload: string, options: IClientPublishOptions, done?: (error?: Error) => void): void {
      const answer = (error?: Error): void => {
        if (unanswered.delete(answer)) done?.(error);
      };
      unanswered.add(answer);
      client.publish(topic, payload, options, answer);
    },
    /** Disconnects cleanly, or by closing the socket when the broker does not respond. */
    async end(): Promise<void> {
      for (const id of Object.keys(client.outgoing)) client.removeOutgoingMessage(Number(id)); // `end` would wait for them
      const late = setTimeout(abandon, endMs); // the broker does not read, or the network is down
      await client.endAsync(!client.connected);
      clearTimeout(late);
    },
    /** Waits for the connection and for `prepare`. Aborting ends the attempt, not an open connection. */
    async opened(prepare?: () => Promise<unknown>, signal?: AbortSignal): Promise<void> {
      const onAbort = (): void => abandon();
      let late: NodeJS.Timeout | undefined; // a broker may answer pings but nothing else
      try {
        signal?.addEventListener('abort', onAbort);
        signal?.throwIfAborted();
        const closed = ended.then((reason) => Promise.reject(reason));
        await Promise.race([new Promise((resolve) => client.once('connect', resolve)), closed]);
        if (prepare) {
          late = setTimeout(() => abandon(new Error('The broker does not answer subscriptions.')), prepareMs);
          await Promise.race([prepare(), closed]);
        }
        closed.catch(() => {});
      } catch (error) {
        await client.endAsync(true);
        throw fault ?? error;
      } finally {
        clearTimeout(late);
        signal?.removeEventListener('abort', onAbort);
      }
    },
  };
}
