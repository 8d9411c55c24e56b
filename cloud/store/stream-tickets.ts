import type { Db } from './engine.ts';

/** `caller` is JSON: who asked for it. */
export type StreamTicket = { id: string; site_id: string; caller: string; expires_at: number };

export async function insertTicket(db: Db, ticket: StreamTicket): Promise<void> {
  await db.insertInto('stream_tickets').values(ticket).execute();
}

/** The ticket, which is gone with this. */
export const takeTicket = (db: Db, id: string): Promise<StreamTicket | undefined> =>
  db.deleteFrom('stream_tickets').where('id', '=', id).returningAll().executeTakeFirst();

export async function forgetTickets(db: Db, now: number): Promise<void> {
  await db.deleteFrom('stream_tickets').where('expires_at', '<', now).execute();
}
