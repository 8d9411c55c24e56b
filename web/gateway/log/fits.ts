import { type Level, type LogLine, levels } from '../../parts/log-line.ts';

/** As loud as `least` or louder, and with the words in it, in any case of letters. */
export function fits({ level, text }: LogLine, least: Level, words: string): boolean {
  return levels.indexOf(level) <= levels.indexOf(least) && text.toLowerCase().includes(words.trim().toLowerCase());
}
