import { type FuzzCloud, openFuzzCloud } from '../fuzz/http/cloud.ts';
import { type Fuzzed, fuzzRequests } from '../fuzz/http/fuzz-requests.ts';
import type { FuzzAnswer, FuzzRequest, FuzzService } from '../fuzz/http/service.ts';
import { type Household, openHousehold } from './household.ts';

type Options = {
  seed: number;
  requests: number;
  /** an intruder is admitted, to see that it is noticed */
  letsNeighbourIn?: boolean;
};

const seesEverything = ['platform root', 'platform admin'];

/** Sends requests as everybody but the members of a household: no answer may contain anything about it. */
export async function searchAnswers({ seed, requests, letsNeighbourIn = false }: Options): Promise<Fuzzed> {
  await using cloud = await openFuzzCloud();
  const household = await openHousehold(cloud.cloud);
  return await fuzzRequests(besides(cloud, household, letsNeighbourIn), {
    seed,
    requests,
    watch: (request, answer) => leakOf(household, request, answer),
  });
}

function besides(cloud: FuzzCloud, { person, ids }: Household, letsNeighbourIn: boolean): FuzzService {
  // A member is not among them: an identity whose id is known may be added to any organization, and is visible there.
  const { identity_id: _, ...others } = ids;
  const named: Record<string, string> = { ...others, serial: ids.gateway_serial };
  // A neighbour who signs out sees nothing any more.
  const paths = Object.entries(cloud.document.paths).filter(([path]) => !letsNeighbourIn || path !== '/auth/revoke');
  return {
    ...cloud,
    document: { ...cloud.document, paths: Object.fromEntries(paths) },
    known(name) {
      const id = named[name];
      return id === undefined ? cloud.known(name) : [...cloud.known(name), id, id];
    },
    credentials() {
      const strangers = Object.entries(cloud.credentials()).filter(([name]) => !seesEverything.includes(name));
      return Object.fromEntries(letsNeighbourIn ? [['neighbour', `Bearer ${person.token}`]] : strangers);
    },
  };
}

/** A name is a leak anywhere; an id, unless the caller sent it first. */
function leakOf({ word, ids, person }: Household, request: FuzzRequest, answer: FuzzAnswer): string | undefined {
  const said = `${JSON.stringify(answer.headers)} ${answer.body}`;
  if (said.includes(word)) return `tells ${said.slice(Math.max(0, said.indexOf(word) - 80), said.indexOf(word) + 40)}`;
  const asked = `${request.url} ${request.body?.toString() ?? ''}`;
  const told = [...Object.values(ids), person.id].find((id) => said.includes(id) && !asked.includes(id));
  return told && `tells ${told}`;
}
