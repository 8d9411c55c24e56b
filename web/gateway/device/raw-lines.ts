import type { RawData } from '#contract/gateway/data.ts';

type Image = { unit_id: number; function_code: number; blocks: Record<string, number[]> };

const wordsInLine = 8;

const hex = (word: number): string => word.toString(16).toUpperCase().padStart(4, '0');

/** Returns raw data as lines: telegrams unchanged, registers in hexadecimal by address, topics with their values. */
export function linesOf({ data }: RawData): string[] {
  if (Array.isArray(data.obis)) return [`/${String(data.device_id)}`, '', ...data.obis.map(String)];
  if (Array.isArray(data.images)) return (data.images as Image[]).flatMap(imageLines);
  if (typeof data.topics === 'object' && data.topics !== null) {
    return Object.entries(data.topics).map(([topic, value]) => `${topic}  ${String(value)}`);
  }
  return JSON.stringify(data, undefined, 2).split('\n');
}

function imageLines({ unit_id, function_code, blocks }: Image): string[] {
  const lines = Object.entries(blocks).flatMap(([start, words]) => blockLines(Number(start), words));
  return [`unit ${unit_id}, function ${function_code}`, ...lines];
}

function blockLines(start: number, words: readonly number[]): string[] {
  const lines: string[] = [];
  for (let i = 0; i < words.length; i += wordsInLine) {
    const row = words.slice(i, i + wordsInLine).map(hex);
    lines.push(`${String(start + i).padStart(5)}  ${row.join(' ')}`);
  }
  return lines;
}
