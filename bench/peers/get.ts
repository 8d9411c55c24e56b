const patienceMs = 600_000;

/** The text of what was asked for; anything but a success fails with what the server said. */
export async function get(url: string, options: RequestInit = {}): Promise<string> {
  const reply = await fetch(url, { signal: AbortSignal.timeout(patienceMs), ...options });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${url.slice(0, 200)} answered ${reply.status}: ${text.slice(0, 500)}`);
  return text;
}
