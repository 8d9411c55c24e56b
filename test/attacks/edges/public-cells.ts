import fc from 'fast-check';
import { latLngToCell } from 'h3-js';
import { openCloud, type Person, type TestCloud } from '../../cloud/open-cloud.ts';
import type { Outcome } from '../../proof/proof.ts';

const places = [
  { latitude: 59.33, longitude: 18.07 },
  { latitude: 57.71, longitude: 11.97 },
];
const cellOf = ({ latitude, longitude }: { latitude: number; longitude: number }): string =>
  latLngToCell(latitude, longitude, 6);
const emptyCell = latLngToCell(55.6, 13, 6);

const windowMs = 15 * 60_000; // statistics stay unchanged for this long

const devices = [
  { device_type: 'inverter', ders: ['solar', 'battery'] },
  { device_type: 'inverter', ders: ['solar'] },
  { device_type: 'ev_charger', ders: ['ev_charger_port'] },
];

const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('join' as const), place: fc.nat(places.length - 1) }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('equip' as const), site: fc.nat(20), device: fc.nat(2) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('move' as const), site: fc.nat(20), place: fc.nat(1) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('leave' as const), site: fc.nat(20) }) },
  ),
  { minLength: 15, maxLength: 30 },
);

type History = typeof steps extends fc.Arbitrary<infer Steps> ? Steps : never;

type Home = { id: string; cell: string; ders: string[] };

/** Reads the map as a stranger while homes are added, equipped, moved and removed, and checks the minimum of sites. */
export async function watchHistories(count: number, minSites: number, told = minSites): Promise<Outcome> {
  const cloud = await openCloud({ env: { PUBLIC_MIN_SITES: String(told), ORGANIZATIONS_PER_IDENTITY: String(count) } });
  const notes: string[] = [];
  try {
    const signer = await cloud.person();
    for (const history of fc.sample(steps, count)) {
      const ada = { ...signer, token: await cloud.signIn(signer) };
      const wrong = await live(history, { cloud, ada, org: await cloud.organization(ada), minSites });
      if (wrong) notes.push(wrong);
    }
  } finally {
    await cloud.close();
  }
  return { tried: count, failed: notes.length, notes: notes.slice(0, 10) };
}

type World = { cloud: TestCloud; ada: Person; org: string; minSites: number };

async function live(history: History, world: World): Promise<string | undefined> {
  const { cloud, ada, org, minSites } = world;
  const gateway = await cloud.claim(ada, org);
  const homes: Home[] = [];
  let hardware = 0;
  try {
    for (const step of history) {
      cloud.clock.advance(windowMs);
      const home = 'site' in step ? homes[step.site % (homes.length || 1)] : undefined;
      if (step.do === 'join') {
        const place = places[step.place]!;
        homes.push({ id: await cloud.site(ada, org, place), cell: cellOf(place), ders: [] });
      }
      if (step.do === 'equip' && home) {
        const { device_type, ders } = devices[step.device]!;
        const named = ders.map((type) => ({ name: type, type }));
        const changes = { hardware_id: `H${hardware++}`, device_type, ders: named };
        await cloud.provision(ada, home.id, gateway.serial, changes);
        home.ders.push(...ders);
      }
      if (step.do === 'move' && home) {
        await cloud.call('PUT', `/sites/${home.id}`, { as: ada, body: places[step.place]! });
        home.cell = cellOf(places[step.place]!);
      }
      if (step.do === 'leave' && home) {
        await cloud.call('DELETE', `/sites/${home.id}?cascade=true`, { as: ada });
        homes.splice(homes.indexOf(home), 1);
      }
      const wrong = await look(cloud, homes, minSites);
      if (wrong) return `after ${step.do}: ${wrong}`;
    }
    return undefined;
  } finally {
    for (const { id } of homes) await cloud.call('DELETE', `/sites/${id}?cascade=true`, { as: ada });
  }
}

/** Lists what is published although it is below the minimum, or missing although it is above. */
async function look(cloud: TestCloud, homes: readonly Home[], minSites: number): Promise<string | undefined> {
  const { cells } = (await cloud.call('GET', '/public/cells')).body as {
    cells: { h3_index: string; der_types: string[] }[];
  };
  const absent = await cloud.call('GET', `/public/cells/${emptyCell}/stats`);
  for (const cell of places.map(cellOf)) {
    const here = homes.filter((home) => home.cell === cell);
    const enough = typesOf(here).filter((type) => dersOf(here, type).length >= minSites);
    const inEnough = enough.filter((type) => here.filter(({ ders }) => ders.includes(type)).length >= minSites);
    const listed = cells.find(({ h3_index }) => h3_index === cell);
    const stats = await cloud.call('GET', `/public/cells/${cell}/stats`);
    if (here.length < minSites) {
      if (listed) return `a cell of ${here.length} sites is on the map`;
      if (stats.status !== 404) return `a cell of ${here.length} sites has statistics`;
      if (stats.body.detail !== absent.body.detail) return 'a cell with few sites differs from one without sites';
      continue;
    }
    const [shown, wanted] = [listed?.der_types.join(), enough.join()];
    if (shown !== wanted) return `the map has ${shown} for ${wanted}`;
    const [summed, summable] = [Object.keys(stats.body.der_summary).toSorted().join(), inEnough.join()];
    if (summed !== summable) return `the statistics have ${summed} for ${summable}`;
  }
  return undefined;
}

const typesOf = (homes: readonly Home[]): string[] => [...new Set(homes.flatMap(({ ders }) => ders))].toSorted();

const dersOf = (homes: readonly Home[], type: string): string[] =>
  homes.flatMap(({ ders }) => ders.filter((each) => each === type));
