import type { Browser } from 'playwright-core';

/** Returns the CPU time of a Chromium in seconds: of the process that runs the pages, and of all. */
export type ProcessorTime = { pages: number; all: number };

type Info = { processInfo: { type: string; cpuTime: number }[] };

export async function processorTime(browser: Browser): Promise<ProcessorTime> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = (await session.send('SystemInfo.getProcessInfo')) as Info;
  await session.detach();
  const sum = (among: Info['processInfo']): number => among.reduce((so, { cpuTime }) => so + cpuTime, 0);
  return { pages: sum(processInfo.filter(({ type }) => type === 'renderer')), all: sum(processInfo) };
}

/** Returns the share of a core used in the meantime, in percent. */
export async function processorShare(browser: Browser, work: () => Promise<void>): Promise<ProcessorTime> {
  const [began, before] = [performance.now(), await processorTime(browser)];
  await work();
  const [seconds, after] = [(performance.now() - began) / 1000, await processorTime(browser)];
  const share = (name: keyof ProcessorTime): number => ((after[name] - before[name]) / seconds) * 100;
  return { pages: share('pages'), all: share('all') };
}
