import { type EngineName, engines } from '#test/cloud/open-cloud.ts';
import { compared, type Finding, type Goal, round } from './measure/finding.ts';
import { load, type Request } from './measure/load.ts';
import { inTurns } from './measure/rounds.ts';
import { idOf } from './registry/fill.ts';
import { middlePage } from './registry/middle-page.ts';
import { openWorld, type World } from './registry/world.ts';

const small = 1000;
const large = 100_000;
const sitesOfOrganization = 20;
const rounds = 7;
const amount = 100;
const flat: Goal = { of: 'ratio', atMost: 2 };

type Question = { what: string; paths(world: World): string[] | Promise<string[]> };

const asMember: Question[] = [
  { what: `GET /sites, the caller has ${sitesOfOrganization}`, paths: () => ['/sites?limit=100'] },
  { what: `GET /gateways, the caller has ${sitesOfOrganization}`, paths: () => ['/gateways?limit=100'] },
  { what: 'GET /public/cells, first 100', paths: () => ['/public/cells?limit=100'] },
];

const inOrganization = `/sites?org_id=${idOf('org', 0)}`;

const asOwnerOfAll: Question[] = [
  { what: 'GET /sites, the caller has all, first 100', paths: () => ['/sites?limit=100'] },
  { what: 'GET /sites of the organization, first 100', paths: () => [`${inOrganization}&limit=100`] },
  {
    what: 'GET /sites of the organization, 100 in the middle',
    paths: async (world) => [await middlePage(world, inOrganization)],
  },
  { what: 'GET /gateways, the caller has all, first 100', paths: () => ['/gateways?limit=100'] },
  { what: 'GET /sites/{id}', paths: ({ sites }) => spread(sites, (n) => `/sites/${idOf('sit', n)}`) },
  { what: 'GET /devices/{id}', paths: ({ sites }) => spread(2 * sites, (n) => `/devices/${idOf('dev', n)}`) },
  { what: 'GET /ders/{id}', paths: ({ sites }) => spread(5 * sites, (n) => `/ders/${idOf('der', n)}`) },
];

/** Measures response times with a hundred times the sites and DERs. */
export async function registry(): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { engine, skip } of engines) {
    if (skip) console.log(`${engine} left out: ${skip}`);
    else findings.push(...(await measure(engine, sitesOfOrganization, asMember)));
    if (!skip) findings.push(...(await measure(engine, undefined, asOwnerOfAll)));
  }
  return findings;
}

/** With this many sites in each organization, or all in one. */
async function measure(engine: EngineName, sitesEach: number | undefined, questions: Question[]): Promise<Finding[]> {
  const worldOf = (sites: number) => openWorld(engine, { sites, organizations: sitesEach ? sites / sitesEach : 1 });
  await using few = await worldOf(small);
  await using many = await worldOf(large);
  const findings: Finding[] = [
    {
      what: `${engine}: fill ${large} sites, ${5 * large} DERs, ${sitesEach ? `${sitesEach} in each` : 'all in one'} organization`,
      value: round(many.fillSeconds),
      unit: 's',
      against: '',
      ratio: null,
      rounds: 1,
    },
  ];
  for (const { what, paths } of questions) {
    const contenders = { few: asker(few, await paths(few)), many: asker(many, await paths(many)) };
    await inTurns(2, contenders);
    const waits = await inTurns(rounds, contenders);
    findings.push(
      compared(`${engine}: ${what}`, 'ms', waits.many, { name: `${small} sites`, values: waits.few }, flat),
    );
  }
  return findings;
}

function asker({ server, token }: World, paths: string[]): () => Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  const requests = paths.map((path): Request => ({ method: 'GET', path, headers }));
  return async () => (await load(server, requests, { amount, connections: 1 })).waitMs;
}

/** Returns as many as a round requests, evenly distributed. */
const spread = (count: number, pathOf: (number: number) => string): string[] =>
  Array.from({ length: amount }, (_, index) => pathOf(Math.floor((index * count) / amount)));
