import type { PlanSaying } from '#contract/plan-sentences.ts';
import { type Seen, sayingWords } from './plan-words.ts';

type SaidProps = { says: PlanSaying | null | undefined; text: string; seen: Seen };

/** Says a sentence in the language of the page; in English where only its text is known. */
export const Said = ({ says, text, seen }: SaidProps) =>
  says ? sayingWords(says, seen) : <span lang="en">{text}</span>;
