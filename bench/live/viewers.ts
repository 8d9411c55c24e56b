// Viewers of many sites in a process of their own.
import { type Seen, Viewer } from './viewer.ts';

/** A request of the benchmark. */
export type Order =
  | { do: 'open'; port: number; token: string; paths: string[] }
  | { do: 'stall'; count: number }
  | { do: 'tell' };

/** The events that all viewers received since the last request; delays are median and p99. */
export type StreamFigures = { events: number; p50Ms: number; p99Ms: number; open: number; stalledOpen: number };

const atOnce = 20;
const viewers: Viewer[] = [];
const seen: Seen = { events: 0, delaysMs: [] };
let stalled = 0;

async function open({ port, token, paths }: Extract<Order, { do: 'open' }>): Promise<void> {
  const waiting = paths.values();
  const lane = async (): Promise<void> => {
    for (const path of waiting) {
      const viewer = new Viewer({ port, path, token }, seen);
      viewers.push(viewer);
      await viewer.opened();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}

function tell(): StreamFigures {
  const delays = Float64Array.from(seen.delaysMs).sort();
  const at = (share: number): number => delays[Math.floor(delays.length * share)] ?? 0;
  const told: StreamFigures = {
    events: seen.events,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    open: viewers.slice(stalled).filter(({ isOpen }) => isOpen).length,
    stalledOpen: viewers.slice(0, stalled).filter(({ isOpen }) => isOpen).length,
  };
  seen.events = 0;
  seen.delaysMs = [];
  return told;
}

async function carryOut(order: Order): Promise<void> {
  if (order.do === 'open') await open(order);
  if (order.do === 'stall') for (; stalled < order.count; stalled++) viewers[stalled]!.stall();
}

process.on('message', (order: Order) => void carryOut(order).then(() => process.send?.(tell())));
process.on('disconnect', () => process.exit());
