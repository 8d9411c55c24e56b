import * as contract from '#contract/cloud/bill.ts';
import { carbonCsv, getSiteCarbon, type SiteCarbon } from '#contract/cloud/carbon.ts';
import { Problem } from '#contract/problem.ts';
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

export type BillDeps = {
  calculator: BillCalculator;
  readQuarters(db: Db, siteId: string, from: number, to: number): Promise<SiteQuarters>;
};

type Asked = Pick<Context, 'db' | 'now' | 'caller'> & {
  params: { site_id: string };
  query: Parameters<typeof parseBillRange>[0];
};

const maxWaiting = 60; // a page asks for a year of months at once

/** Runs the calculations of an identity one after the other: a year of quarter-hours takes tenths of a second. */
function createTurns(calculations: string) {
  const turns = new Map<string, { last: Promise<unknown>; waiting: number }>();
  return async <Result>(identityId: string, work: () => Promise<Result>): Promise<Result> => {
    const own = turns.get(identityId) ?? { last: Promise.resolve(), waiting: 0 };
    if (own.waiting >= maxWaiting)
      throw new Problem('rate_limited', `${maxWaiting} of your ${calculations} are being calculated.`, {
        retryAfterSeconds: 1,
      });
    turns.set(identityId, own);
    own.waiting++;
    const result = own.last.then(work);
    own.last = result.catch(() => {});
    try {
      return await result;
    } finally {
      own.waiting--;
      if (own.waiting === 0) turns.delete(identityId);
    }
  };
}

export function billRoutes(mount: CloudMount, { calculator, readQuarters }: BillDeps): void {
  const inTurn = createTurns('bills');
  const carbonInTurn = createTurns('carbon sums'); // separate, because a source may take half a minute to answer

  async function open({ params, query, db, now }: Asked): Promise<{ home: Household; range: BillRange }> {
    const site = await getSite(db, params.site_id);
    const timeZone = site.timezone ?? 'UTC';
    const quarters: Household['quarters'] = (from, to) => readQuarters(db, site.id, from, to);
    const home = { site, timeZone, now, contract: await readContract(db, site.id), calculator, quarters };
    return { home, range: parseBillRange(query, timeZone, now) };
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
