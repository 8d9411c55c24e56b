import { type Fuzzed, fuzzRequests } from './fuzz-requests.ts';
import { fuzzServices } from './services.ts';

// Sends requests to a service in a process of its own: starting the commands of a gateway is slow in a large one.

export type ServicePart = { name: string; seed: number; requests: number };
export type ServiceTold = Fuzzed;

const { name, ...options } = JSON.parse(process.argv[2]!) as ServicePart;
const { open } = fuzzServices.find((service) => service.name === name)!;

async function fuzz(): Promise<Fuzzed> {
  await using service = await open();
  return await fuzzRequests(service, options);
}

process.send!((await fuzz()) satisfies ServiceTold, () => process.exit());
