import { Problem } from '#contract/problem.ts';

const mb = 1024 ** 2;

// An answer that is sent in parts holds three of 4 MB at most: one in the socket, one on its way there, one being read.
const streamedBytes = 12 * mb;
const maxBytesOfIdentity = 4 * streamedBytes;
const maxBytes = 16 * streamedBytes;
const retryAfterSeconds = 5;

/** Counts the memory of history answers that were made and not read yet, so that nobody fills it by not reading. */
type UnsentAnswers = {
  /** Counts an answer; refuses it when there are too many. The function that is returned ends the count, once. */
  hold(identityId: string, answer: { bytes: number; isStreamed: boolean }): () => void;
};

export function createUnsentAnswers(): UnsentAnswers {
  const ofIdentity = new Map<string, number>();
  let total = 0;

  function add(identityId: string, bytes: number): void {
    total += bytes;
    const held = (ofIdentity.get(identityId) ?? 0) + bytes;
    if (held > 0) ofIdentity.set(identityId, held);
    else ofIdentity.delete(identityId);
  }

  return {
    hold(identityId, { bytes, isStreamed }) {
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
