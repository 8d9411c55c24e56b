import { pause } from '#contract/client/abortable.ts';
import { createAsk } from '#contract/client/ask.ts';
import { openEvents } from '#contract/client/event-connection.ts';
import { isPassing } from '#contract/client/retry.ts';
import { streamGatewayLogs } from '#contract/cloud/gateways.ts';
import { api } from '../session.ts';

const silenceMs = 45_000; // the platform speaks every 15 s, if only to say that it is there
const retryMs = 3000;

/** The lines of the log of a gateway as they are written, through losses of the connection, until the signal ends it. */
export async function* followLog(serial: string, signal: AbortSignal): AsyncGenerator<string> {
  const platform = api();
  const ask = createAsk({ baseUrl: platform.url, token: (refused) => platform.token(refused) });
  while (!signal.aborted) {
    try {
      const { events } = await openEvents(ask, streamGatewayLogs, { params: { serial }, signal, silenceMs });
      for await (const { name, data } of events) if (name === '' || name === 'message') yield data;
    } catch (error) {
      if (signal.aborted) return;
      if (!isPassing(error)) throw error;
    }
    await pause(retryMs, signal).catch(() => {}); // the loop sees that it was aborted
  }
}
