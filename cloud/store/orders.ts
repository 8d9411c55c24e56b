import type { Db } from './engine.ts';
import { sql } from './kysely.ts';
import { first, limitArgument, prepared } from './prepared.ts';
import type { OrderRow } from './schema.ts';
import { table } from './table.ts';

const orders = table('orders');
const open = table('orders', 'ended_at is null');

export const insertOrder = orders.insert();
export const findOrder = orders.find('id');
/** Lists the orders for a DER, newest first. */
export const listOrders = orders.pages(['der_id'], 'id', 'desc');
export const findOpenOrder = open.find('der_id');
export const endOrder = open.update(['id'], 'ended_at', 'ended_by', 'message');
export const postponeOrder = open.update(['id'], 'due_at', 'message');
export const renewOrder = open.update(['id'], 'due_at', 'command_id', 'message');
export const noteOrderApplied = open.update(['id'], 'applied_at', 'failures', 'message');
export const noteOrderFailed = open.update(['id'], 'failures', 'due_at', 'message');

export type DueOrder = { id: string; no: number };

/** Lists orders that are due, with the number of their DER in telemetry. */
export const listDueOrders = prepared(
  (_: Db, now: number, limit: number) => sql<DueOrder>`select orders.id, ders.no from orders
    join ders on ders.id = orders.der_id
    where ended_at is null and due_at <= ${now} order by due_at limit ${limitArgument(limit)}`,
);

/** Lists the orders of a site that have not ended. */
export const listOpenOrders = prepared(
  (_: Db, site: string, limit: number) => sql<OrderRow>`select orders.* from devices
    join ders on ders.device_id = devices.id join orders on orders.der_id = ders.id
    where devices.site_id = ${site} and ended_at is null order by orders.id limit ${limitArgument(limit)}`,
);

/** Returns the latest end of an order, or 0. */
export const lastOrderEnd = async (db: Db): Promise<number> => (await latestEnd(db))?.last ?? 0;
const latestEnd = first(prepared(() => sql<{ last: number | null }>`select max(ended_at) as last from orders`, 0));

/** Deletes at most `limit` orders that ended before an instant, and returns their number. */
export async function deleteOldOrders(db: Db, before: number, limit: number): Promise<number> {
  const old = db.selectFrom('orders').where('ended_at', '<', before).select('id').limit(limit);
  const { numDeletedRows } = await db.deleteFrom('orders').where('id', 'in', old).executeTakeFirst();
  return Number(numDeletedRows);
}
