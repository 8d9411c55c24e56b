import { Problem } from '#contract/problem.ts';

// An answer in parts holds at most three of 4 MB: one in the socket, one on its way there, one being made.
const streamedBytes = 12 * 1024 ** 2;
const maxBytesOfIdentity = 4 * streamedBytes;
const maxBytes = 16 * streamedBytes;
const retryAfterSeconds = 5;

/** Limits the memory of history answers that clients have not read yet. */
export function createUnsentAnswers() {
  const ofIdentity = new Map<string, number>();
  let total = 0;

  function add(identityId: string, bytes: number): void {
    total += bytes;
    const held = (ofIdentity.get(identityId) ?? 0) + bytes;
    if (held > 0) ofIdentity.set(identityId, held);
    else ofIdentity.delete(identityId);
  }

  return {
    /** Counts an answer, or refuses it when there are too many. Returns a function that ends the count. */
    hold(identityId: string, { bytes, isStreamed }: { bytes: number; isStreamed: boolean }): () => void {
      const size = bytes + (isStreamed ? streamedBytes : 0);
      const held = ofIdentity.get(identityId) ?? 0;
      if (held > 0 && held + size > maxBytesOfIdentity) {
        const sentence = 'Too many large history answers of this identity are still being sent. Read them first.';
        throw new Problem('rate_limited', sentence, { retryAfterSeconds });
      }
      if (total > 0 && total + size > maxBytes) {
        const sentence = 'Too many large history answers are being sent at the moment. Try again in a few seconds.';
        throw new Problem('unavailable', sentence, { retryAfterSeconds });
      }
      add(identityId, size);
      let isHeld = true;
      return () => {
        if (isHeld) add(identityId, -size);
        isHeld = false;
      };
    },
  };
}
