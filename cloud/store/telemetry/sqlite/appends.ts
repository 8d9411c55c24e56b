import type { Sample, TelemetryStore } from '../telemetry-store.ts';

type Waiting = { samples: readonly Sample[]; resolve(repeated: readonly number[]): void; reject(error: unknown): void };

/** Sends one batch at a time. Samples that arrive meanwhile are sent together in the next, which costs one disk flush. */
export function createAppendQueue(
  send: (batch: PackedSamples) => Promise<readonly number[]>,
): TelemetryStore['append'] {
  let waiting: Waiting[] = [];
  let isSending = false;

  async function sendAll(): Promise<void> {
    isSending = true;
    while (waiting.length > 0) {
      const together = waiting;
      waiting = [];
      try {
        const repeated = await send(packSamples(together.flatMap(({ samples }) => samples)));
        for (const { resolve } of together) resolve(repeated);
      } catch (error) {
        for (const { reject } of together) reject(error);
      }
    }
    isSending = false;
  }

  return (samples) =>
    new Promise((resolve, reject) => {
      waiting.push({ samples, resolve, reject });
      if (!isSending) void sendAll();
    });
}

/** Samples packed for another thread: numbers in one array, texts in one string. */
export type PackedSamples = { numbers: Float64Array<ArrayBuffer>; bodies: string };

const numbersPerSample = 4; // der, at, received, length of the body

function packSamples(samples: readonly Sample[]): PackedSamples {
  const numbers = new Float64Array(samples.length * numbersPerSample);
  let bodies = '';
  let n = 0;
  for (const { der, at, received, body } of samples) {
    numbers[n++] = der;
    numbers[n++] = at;
    numbers[n++] = received;
    numbers[n++] = body.length;
    bodies += body;
  }
  return { numbers, bodies };
}

export function forEachSample(
  { numbers, bodies }: PackedSamples,
  visit: (der: number, at: number, received: number, body: string) => void,
): void {
  for (let n = 0, begin = 0; n < numbers.length; n += numbersPerSample) {
    const end = begin + numbers[n + 3]!;
    visit(numbers[n]!, numbers[n + 1]!, numbers[n + 2]!, bodies.slice(begin, end));
    begin = end;
  }
}
