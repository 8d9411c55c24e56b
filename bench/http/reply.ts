import type { Request } from '../measure/load.ts';

export type Reply = { status: number; headers: Record<string, string>; body: string };

// node:http adds these by itself.
const addedByNode = new Set(['connection', 'keep-alive', 'date', 'transfer-encoding']);

/** Captures a reply, so that another server can send the same bytes. */
export async function replyTo(baseUrl: string, { method, path, headers, body }: Request): Promise<Reply> {
  const uncompressed = { ...headers, 'accept-encoding': 'identity' }; // as the load requests it
  const answer = await fetch(baseUrl + path, { method, headers: uncompressed, ...(body !== undefined && { body }) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  const kept = [...answer.headers].filter(([name]) => !addedByNode.has(name));
  return { status: answer.status, headers: Object.fromEntries(kept), body: text };
}
