import { importDays } from '#cloud/energy/enrol.ts';
import { dayMs } from '#contract/time.ts';
import { expectStatus, type TestCloud } from '../../cloud/open-cloud.ts';
import type { GrowthCase } from './measure.ts';
import { createSite, type Holding } from './registry.ts';

const quartersOfDay = 96;

/** The energy of sites with a long history, and with many devices. */
export function energyCases(cloud: TestCloud, holding: Holding): GrowthCase[] {
  const start = Math.floor(cloud.clock.now() / dayMs) * dayMs - 100 * dayMs;

  const energyOf = (
    what: string,
    unit: string,
    base: number,
    path: string,
    sizes: (size: number) => { days: number; devices: number },
  ): GrowthCase => ({
    covers: [`GET /sites/{site_id}/${path.split('?')[0]}`],
    what,
    unit,
    base,
    async prepare(size) {
      const { days, devices } = sizes(size);
      const { site, ders } = await createSite(cloud, holding, devices);
      const energy = new Float64Array(days * quartersOfDay).fill(100);
      await importDays(
        cloud.store,
        site,
        start,
        ders.map(({ id }) => ({ der_id: id, in: energy, out: energy })),
      );
      const range = `from=${start}&to=${start + days * dayMs}`;
      const url = `/sites/${site}/${path}${path.includes('?') ? '&' : '?'}${range}`;
      return () => expectStatus(200, cloud.call('GET', url, { as: holding.owner }));
    },
  });

  const whatIf: GrowthCase = {
    covers: ['POST /sites/{site_id}/what-if'],
    what: 'a range of days',
    unit: 'days',
    base: 6,
    maxCpuMs: 3000,
    async prepare(days) {
      const { owner } = holding;
      const { site, serial } = await createSite(cloud, holding, 0);
      const meter = { hardware_id: 'METER', device_type: 'energy_meter', ders: [{ name: 'meter', type: 'meter' }] };
      const { ders } = await cloud.provision(owner, site, serial, meter);
      const energy = Float64Array.from({ length: days * quartersOfDay }, (_, n) => 100 + (n % 40) * 20);
      await importDays(cloud.store, site, start, [{ der_id: ders[0].id, in: energy, out: new Float64Array() }]);
      const [from, to] = [start, start + days * dayMs].map((ms) => new Date(ms).toISOString());
      const body = { battery_wh: 10_000, from, to };
      return () => expectStatus(200, cloud.call('POST', `/sites/${site}/what-if`, { as: owner, body }));
    },
  };

  return [
    whatIf,
    energyOf('quarter-hours', 'days', 4, 'energy?resolution=15m', (days) => ({ days, devices: 1 })),
    energyOf('days', 'days', 4, 'energy?resolution=1d', (days) => ({ days, devices: 1 })),
    energyOf('by device', 'devices', 4, 'energy/devices', (devices) => ({ days: 2, devices })),
  ];
}
