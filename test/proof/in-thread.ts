import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** A program that returns a result for its input. */
export type Thread<Given, Told> = { program: URL; told?: (given: Given) => Told };

/** Runs a program in a thread of its own; returns its only message. */
export async function inThread<Given, Told>({ program }: Thread<Given, Told>, given: Given): Promise<Told> {
  const thread = new Worker(program, { workerData: given });
  const [told] = (await once(thread, 'message')) as [Told];
  await thread.terminate();
  return told;
}
