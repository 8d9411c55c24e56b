import type { Findings, Framing, ModbusRequest } from '#gateway/links/modbus/pdu.ts';

// Framings with a bug that the fuzz has to detect.

/** Accepts anything that begins like an answer and is long enough. */
export function careless(framing: Framing): Framing {
  let held = Buffer.alloc(0);
  let asked: { unit: number; request: ModbusRequest<unknown> } | undefined;
  return withOther(framing, {
    ask(unit, request) {
      asked = { unit, request };
      held = Buffer.alloc(0);
      return framing.ask(unit, request);
    },
    take(bytes: Uint8Array, { onAnswer }: Findings) {
      held = Buffer.concat([held, bytes]);
      for (let at = 0; asked && at + 2 < held.length; at++) {
        if (held[at] !== asked.unit || held[at + 1] !== asked.request.function) continue;
        const end = at + 1 + (asked.request.answerLength(held, at + 1, held.length) || Number.POSITIVE_INFINITY);
        if (end > held.length) continue;
        asked = undefined;
        onAnswer(held, at + 1, end);
      }
    },
  });
}

/** Accepts any transaction id. */
export function forgetful(framing: Framing): Framing {
  let asked = Buffer.alloc(0);
  return withOther(framing, {
    ask(unit, request) {
      asked = Buffer.from(framing.ask(unit, request));
      return asked;
    },
    take(bytes, findings) {
      const renamed = Buffer.from(bytes);
      if (renamed.length > 6) renamed.set(asked.subarray(0, 2));
      framing.take(renamed, findings);
    },
  });
}

function withOther(framing: Framing, other: Pick<Framing, 'ask' | 'take'>): Framing {
  return {
    ...other,
    silenceMs: framing.silenceMs,
    wireMs: (bytes) => framing.wireMs(bytes),
    ahead: (unit, request) => framing.ahead(unit, request),
    settle: (how) => framing.settle(how),
    get isCut() {
      return framing.isCut;
    },
    restart: () => framing.restart(),
  };
}
