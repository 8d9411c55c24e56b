import { derTypeIds } from '#contract/der.ts';
import { type CellSums, CountedSum, emptySums, type HeardDer, join, type ReadingPart } from './add-up.ts';

/** The p % rule: the others must contribute at least this share of the largest contribution. */
const closest = 0.15;

/**
 * Computes sums that are safe to publish: of enough sites or none, and not dominated by one site. Sites join the sums of a
 * type in groups, in the order of their installation, so that two answers never differ by one new site. A site that leaves
 * takes its group along, or is replaced by a waiting site.
 */
export function guardedSums(ders: readonly HeardDer[], since: number, minSites: number): CellSums {
  const sums = emptySums();
  const frequencies = new Set<string>();
  const byType = Map.groupBy(ders, (der) => der.type);
  for (const type of derTypeIds) {
    const ofType = byType.get(type) ?? [];
    const recent = recentIn(wholeGroups(ofType, minSites), since);
    const heard = new Set(recent.map(({ site }) => site));
    const isPublished = heard.size >= minSites && !hasDominant(recent, 1) && !hasDominant(recent, -1);
    const isSilent = heard.size === 0 && sitesOf(ofType).length >= minSites;
    if (!isPublished && !isSilent) sums.hidden.add(type);
    if (!isPublished) continue;
    for (const { part } of recent) join(sums, part);
    const charged = new Set(recent.flatMap(({ site, part }) => (part.soc === undefined ? [] : [site])));
    const ofAll = sums.types.get(type);
    if (ofAll && charged.size < minSites) ofAll.soc = new CountedSum();
    for (const { site, part } of recent) if (part.Hz !== undefined) frequencies.add(site);
  }
  if (frequencies.size < minSites) sums.hz = new CountedSum();
  return sums;
}

type Recent = { site: string; part: ReadingPart };

const recentIn = (ders: readonly HeardDer[], since: number): Recent[] =>
  ders.flatMap(({ site, part }) => (part && part.at >= since ? [{ site, part }] : []));

const sitesOf = (ders: readonly HeardDer[]): string[] => [...new Set(ders.map(({ site }) => site))];

/** Returns the DERs of complete groups. Ids of DERs are ordered by time, so the newest sites wait for a full group. */
function wholeGroups(ders: readonly HeardDer[], size: number): HeardDer[] {
  const sites = sitesOf(ders.toSorted((a, b) => (a.der < b.der ? -1 : 1)));
  const taken = new Set(sites.slice(0, sites.length - (sites.length % size)));
  return ders.filter(({ site }) => taken.has(site));
}

/** Returns whether the second largest site could estimate the largest one from the imported (1) or exported (-1) sum. */
function hasDominant(recent: readonly Recent[], sign: 1 | -1): boolean {
  const bySite = new Map<string, number>();
  for (const { site, part } of recent) {
    const power = Math.max(0, sign * (part.W ?? 0));
    if (power > 0) bySite.set(site, (bySite.get(site) ?? 0) + power);
  }
  const [largest = 0, , ...others] = [...bySite.values()].toSorted((a, b) => b - a);
  return others.reduce((sum, power) => sum + power, 0) < closest * largest;
}
