import type { Sample } from '../telemetry-store.ts';

/** Samples on their way to another thread: numbers in one array, texts in one string. */
export type Batch = { numbers: Float64Array<ArrayBuffer>; bodies: string };

const each = 4; // der, at, received, length of the body

export function packBatch(samples: readonly Sample[]): Batch {
  const numbers = new Float64Array(samples.length * each);
  let bodies = '';
  for (let i = 0, n = 0; i < samples.length; i++) {
    const { der, at, received, body } = samples[i]!;
    numbers[n++] = der;
    numbers[n++] = at;
    numbers[n++] = received;
    numbers[n++] = body.length;
    bodies += body;
  }
  return { numbers, bodies };
}

export function eachSample(
  { numbers, bodies }: Batch,
  visit: (der: number, at: number, received: number, body: string) => void,
): void {
  for (let n = 0, begin = 0; n < numbers.length; n += each) {
    const end = begin + numbers[n + 3]!;
    visit(numbers[n]!, numbers[n + 1]!, numbers[n + 2]!, bodies.slice(begin, end));
    begin = end;
  }
}
