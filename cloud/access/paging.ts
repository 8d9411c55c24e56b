import { fieldProblem } from '#contract/problem.ts';
import { Answer } from '#lib/http/mount.ts';
import type { Db, PageRange } from '../store/engine.ts';
import { listOrganizationIdsOf } from '../store/organizations.ts';
import { type Caller, reaches, seesEverything } from './caller.ts';
import type { Context } from './door.ts';

export type PageQuery = { limit?: number | undefined; cursor?: string | undefined };

const defaultLimit = 100;

/** One row more than asked for, to know whether there is a next page. */
export function sliceOf({ limit = defaultLimit, cursor }: PageQuery): PageRange {
  return { after: cursor === undefined ? undefined : decodeCursor(cursor), limit: limit + 1 };
}

/** The page, with a link to the next one when there is more. `keyOf` is what the rows are ordered by. */
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
  if (rows.length <= limit) return new Answer(200, items);
  return new Answer(200, items, { link: nextLink(path, query, keyOf(shown.at(-1)!)) });
}

export function nextLink(path: string, query: Record<string, string | number | undefined>, key: string): string {
  const next = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) next.set(name, String(value));
  next.set('cursor', Buffer.from(key).toString('base64url'));
  return `<${path}?${next.toString()}>; rel="next"`;
}

export function decodeCursor(cursor: string): string {
  const key = Buffer.from(cursor, 'base64url').toString();
  const isOurs = Buffer.from(key).toString('base64url') === cursor && !/\p{Cc}/u.test(key);
  if (!isOurs) throw fieldProblem('invalid_request', 'query.cursor', 'is not one of ours; begin without it');
  return key;
}

type Lister<Row> = {
  all(slice: PageRange): Promise<Row[]>;
  of(orgId: string, slice: PageRange): Promise<Row[]>;
  keyOf(row: Row): string;
};

type OrgQuery = PageQuery & { org_id?: string | undefined };

/** True when the filter names an organization that the caller cannot see, so the list is empty. */
export const isFilteredOut = ({ held }: Pick<Context, 'held'>, { org_id }: OrgQuery): boolean =>
  Boolean(org_id) && !held.organization;

/**
 * Returns what the caller can see of a list that organizations hold, ordered by organization: the organization in the
 * filter, everything for platform administrators, else one organization of theirs after the other until the page is
 * full. The cursor names the organization and the last row.
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

/** In order, beginning at one of them. */
async function organizationIdsOf(caller: Caller, db: Db, from: string): Promise<readonly string[]> {
  if (seesEverything(caller)) return caller.application!.orgIds.filter((id) => id >= from).sort();
  return (await listOrganizationIdsOf(db, caller.identityId, from)).filter((id) => reaches(caller, id));
}
