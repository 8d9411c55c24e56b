import { parentPort, workerData } from 'node:worker_threads';
import { type Fuzzed, fuzzRequests } from './fuzz-requests.ts';
import { fuzzServices } from './services.ts';

// Sends requests to a service in a thread of its own.

export type ServicePart = { name: string; seed: number; requests: number };
export type ServiceTold = Fuzzed;

const { name, ...options } = workerData as ServicePart;
const { open } = fuzzServices.find((service) => service.name === name)!;

async function fuzz(): Promise<Fuzzed> {
  await using service = await open();
  return await fuzzRequests(service, options);
}

parentPort!.postMessage((await fuzz()) satisfies ServiceTold, []);
