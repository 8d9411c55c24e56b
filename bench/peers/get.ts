const patienceMs = 600_000;

/** Fetches a text; throws with the reply of the server unless it succeeds. */
export async function get(url: string, options: RequestInit = {}): Promise<string> {
  const reply = await fetch(url, { signal: AbortSignal.timeout(patienceMs), ...options });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${url.slice(0, 200)} answered ${reply.status}: ${text.slice(0, 500)}`);
  return text;
}
