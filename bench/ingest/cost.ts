/** Messages per second, and the cost of one: CPU time of all processes that serve it, and of their event loops. */
export type Cost = { perSecond: number; cpuUs: number; loopUs: number };

type Used = { cpuUs: number; loopUs: number };

/** Returns the cost of a number of messages between two measurements. */
export async function costOf(used: () => Promise<Used>, load: () => Promise<number>): Promise<Cost> {
  const before = await used();
  const began = performance.now();
  const messages = await load();
  const seconds = (performance.now() - began) / 1000;
  const after = await used();
  return {
    perSecond: messages / seconds,
    cpuUs: (after.cpuUs - before.cpuUs) / messages,
    loopUs: (after.loopUs - before.loopUs) / messages,
  };
}
