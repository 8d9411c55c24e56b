import * as contract from '#contract/cloud/bill.ts';
import { carbonCsv, getSiteCarbon, type SiteCarbon } from '#contract/cloud/carbon.ts';
import { PreSerialized } from '#lib/http/mount.ts';
import type { CloudMount, Context } from '../access/door.ts';
import type { SiteQuarters } from '../energy/report.ts';
import type { Db } from '../store/engine.ts';
import { getSite } from '../store/sites.ts';
import type { BillCalculator } from './bill-calculator.ts';
import { type BillRange, parseBillRange } from './bill-range.ts';
import { readContract } from './contract.ts';
import { type Household, siteBill, siteSavings } from './site-bill.ts';
import { siteCarbon } from './site-carbon.ts';
import { createTurns } from './turns.ts';

export type BillDeps = {
  calculator: BillCalculator;
  readQuarters(db: Db, siteId: string, from: number, to: number): Promise<SiteQuarters>;
};

type Asked = Pick<Context, 'db' | 'now' | 'caller'> & {
  params: { site_id: string };
  query: Parameters<typeof parseBillRange>[0];
};

const maxWaiting = 60; // a page asks for a year of months at once

/** Opens the energy and the contract of a site for calculations. */
export async function openHousehold(db: Db, siteId: string, now: number, deps: BillDeps): Promise<Household> {
  const site = await getSite(db, siteId);
  return {
    site,
    timeZone: site.timezone ?? 'UTC',
    now,
    contract: await readContract(db, site.id),
    calculator: deps.calculator,
    quarters: (from, to) => deps.readQuarters(db, site.id, from, to),
  };
}

export function billRoutes(mount: CloudMount, { calculator, readQuarters }: BillDeps): void {
  // A year of quarter-hours takes tenths of a second.
  const inTurn = createTurns(maxWaiting, `${maxWaiting} of your bills are being calculated.`);
  // Separate, because a source may take half a minute to answer.
  const carbonInTurn = createTurns(maxWaiting, `${maxWaiting} of your carbon sums are being calculated.`);

  async function open({ params, query, db, now }: Asked): Promise<{ home: Household; range: BillRange }> {
    const home = await openHousehold(db, params.site_id, now, { calculator, readQuarters });
    return { home, range: parseBillRange(query, home.timeZone, now) };
  }

  mount(contract.getSiteBill, async (asked) => {
    const { home, range } = await open(asked);
    const bill = await inTurn(asked.caller.identityId, () => siteBill(home, range));
    if (asked.query.format !== 'csv') return bill;
    return csv<contract.SiteBill>(`${home.site.name} bill`, contract.billCsv(bill));
  });

  mount(contract.getSiteSavings, async (asked) => {
    const { home, range } = await open(asked);
    const savings = await inTurn(asked.caller.identityId, () => siteSavings(home, range));
    if (asked.query.format !== 'csv') return savings;
    return csv<contract.SiteSavings>(`${home.site.name} savings`, contract.savingsCsv(savings));
  });

  mount(getSiteCarbon, async (asked) => {
    const { home, range } = await open(asked);
    const carbon = await carbonInTurn(asked.caller.identityId, () => siteCarbon(home, range));
    if (asked.query.format !== 'csv') return carbon;
    return csv<SiteCarbon>(`${home.site.name} carbon`, carbonCsv(carbon));
  });
}

const csv = <Body>(name: string, text: string) =>
  new PreSerialized<Body>({
    text,
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${encodeURIComponent(name)}.csv"`,
    },
  });
