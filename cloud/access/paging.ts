import { fieldProblem } from '#contract/problem.ts';
import { Answer } from '#lib/http/mount.ts';
import type { Db, PageRange } from '../store/engine.ts';
import { listOrganizationIdsOf } from '../store/organizations.ts';
import { type Caller, reaches, seesEverything } from './caller.ts';
import type { Context } from './door.ts';

export type PageQuery = { limit?: number | undefined; cursor?: string | undefined };

const defaultLimit = 100;

/** Requests one extra row, to know whether there is a next page. */
export const sliceOf = ({ limit = defaultLimit, cursor }: PageQuery): PageRange => ({
  after: cursor === undefined ? undefined : decodeCursor(cursor),
  limit: limit + 1,
});

/** Returns a page with a link to the next one if there is more. Rows are ordered by `keyOf`. */
export function pageOf<Row, Item>(
  path: string,
  query: PageQuery & Record<string, string | number | undefined>,
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  itemOf: (row: Row) => Item,
): Answer<Item[]> {
  const limit = query.limit ?? defaultLimit;
  const shown = rows.slice(0, limit);
  const items = shown.map(itemOf);
  const last = shown.at(-1);
  if (rows.length <= limit || last === undefined) return new Answer(200, items);
  return new Answer(200, items, { link: nextLink(path, query, keyOf(last)) });
}

export const asItIs = <Item>(item: Item): Item => item;

export const idOf = ({ id }: { id: string }): string => id;

export function nextLink(path: string, query: Record<string, string | number | undefined>, key: string): string {
  const next = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) next.set(name, String(value));
  next.set('cursor', Buffer.from(key).toString('base64url'));
  return `<${path}?${next.toString()}>; rel="next"`;
}

export function decodeCursor(cursor: string): string {
  const key = Buffer.from(cursor, 'base64url').toString();
  const isOurs = Buffer.from(key).toString('base64url') === cursor && !/\p{Cc}/u.test(key);
  if (!isOurs) throw fieldProblem('invalid_request', 'query.cursor', 'is not a cursor of this API; start without it');
  return key;
}

type Lister<Row> = {
  all(slice: PageRange): Promise<Row[]>;
  of(orgId: string, slice: PageRange): Promise<Row[]>;
  keyOf(row: Row): string;
};

type OrgQuery = PageQuery & { org_id?: string | undefined };

/** Returns whether the filter names an organization that the caller cannot see, so that the list is empty. */
export const isFilteredOut = ({ held }: Pick<Context, 'held'>, { org_id }: OrgQuery): boolean =>
  Boolean(org_id) && !held.organization;

/**
 * Lists what the caller can see across organizations, ordered by organization: that of the filter, everything for
 * platform administrators, else the caller's organizations one by one until the page is full. The cursor holds the
 * organization and the last row.
 */
export async function listAcross<Row extends { org_id: string | null }>(
  { caller, held, db }: Context,
  query: OrgQuery,
  { all, of, keyOf }: Lister<Row>,
): Promise<{ rows: Row[]; keyOf: (row: Row) => string }> {
  const { after, limit } = sliceOf(query);
  if (isFilteredOut({ held }, query)) return { rows: [], keyOf };
  if (held.organization) return { rows: await of(held.organization.orgId, { after, limit }), keyOf };
  if (seesEverything(caller) && !caller.application) return { rows: await all({ after, limit }), keyOf };

  const [fromOrg = '', fromKey] = after?.split(' ') ?? [];
  const rows: Row[] = [];
  for (const orgId of await organizationIdsOf(caller, db, fromOrg)) {
    const afterKey = orgId === fromOrg ? fromKey : undefined;
    rows.push(...(await of(orgId, { after: afterKey, limit: limit - rows.length })));
    if (rows.length >= limit) break;
  }
  return { rows, keyOf: (row) => `${row.org_id} ${keyOf(row)}` };
}

/** Lists the caller's organizations in order, starting at `from`. */
async function organizationIdsOf(caller: Caller, db: Db, from: string): Promise<readonly string[]> {
  const { application } = caller;
  if (application && seesEverything(caller)) return application.orgIds.filter((id) => id >= from).sort();
  return (await listOrganizationIdsOf(db, caller.identityId, from)).filter((id) => reaches(caller, id));
}
