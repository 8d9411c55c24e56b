import { createMeter } from '#sim/fleet/gateway.ts';
import { startTimeSeriesPeers } from '../peers/start-peers.ts';
import type { TimeSeriesPeer } from '../peers/time-series-peer.ts';
import { lineOf } from '../workload/line.ts';
import { type Cost, costOf } from './cost.ts';

const together = 1000;
const inFlight = 4;

/** Sends the same readings to databases with HTTP, a thousand per request, until all are answered. */
export async function httpContenders(
  folder: string,
  open: AsyncDisposableStack,
  { ders, each }: { ders: number; each: number },
): Promise<Map<string, () => Promise<Cost>>> {
  const peers = await startTimeSeriesPeers(folder, open);
  return new Map(peers.map((peer) => [peer.name, contender(peer, ders, each)]));
}

function contender(peer: TimeSeriesPeer, ders: number, each: number): () => Promise<Cost> {
  let at = Date.now() - 3_600_000;
  return () => {
    const bodies = requestsOf(ders, each, () => at++); // prepared before the measurement
    return costOf(peer.usage, async () => {
      const waiting = bodies.values();
      const lane = async (): Promise<void> => {
        for (const body of waiting) await peer.write(body);
      };
      await Promise.all(Array.from({ length: inFlight }, lane));
      return ders * each;
    });
  };
}

/** Yields one reading of each DER at a time. */
function requestsOf(ders: number, each: number, nextTime: () => number): string[] {
  const meter = createMeter(1);
  const lines = Array.from({ length: each }, nextTime).flatMap((at) =>
    Array.from({ length: ders }, (_, der) => lineOf({ der, at, body: meter.read(at) })),
  );
  return Array.from({ length: Math.ceil(lines.length / together) }, (_, request) =>
    lines.slice(request * together, (request + 1) * together).join(''),
  );
}
