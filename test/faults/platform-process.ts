import { openTransport } from '#cloud/broker/open-transport.ts';
import type { Transport } from '#cloud/broker/transport.ts';
import { startCloud } from '#cloud/main.ts';

// The platform as a process that tests kill. With PLANTED=early-ack it has the bug that the ledger must catch:
// a message is acknowledged when it arrives, as if it were taken from a subscription, and stored a moment later.

const { PLANTED, ...env } = process.env;

const acknowledgingEarly = (transport: Transport): Transport =>
  Object.create(transport, {
    start: {
      value: (events: Parameters<Transport['start']>[0]) =>
        transport.start({
          ...events,
          message: async (message) => {
            setTimeout(() => void events.message(message), 40);
          },
        }),
    },
  });

const { url, mqttUrl } = await startCloud(env, {
  version: 'test',
  openTransport: async (config, admission, options) => {
    const opened = await openTransport(config, admission, options);
    return PLANTED === 'early-ack' ? { ...opened, transport: acknowledgingEarly(opened.transport) } : opened;
  },
});
process.send?.({ url, mqttUrl });
