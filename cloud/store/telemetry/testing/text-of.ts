import type { TextPart } from '../telemetry-store.ts';

/** All parts of a text as one. */
export async function textOf(parts: AsyncGenerator<TextPart>): Promise<string> {
  const all: Uint8Array[] = [];
  for await (const { bytes } of parts) all.push(bytes);
  return Buffer.concat(all).toString();
}
