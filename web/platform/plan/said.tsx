import type { PlanSaying } from '#contract/plan-sentences.ts';
import { remark } from '../bill/remarks.ts';
import { type Seen, sayingWords } from './plan-words.ts';

type SaidProps = { says: PlanSaying | null | undefined; text: string; seen: Seen };

/** Says a sentence in the language of the page; in English where only its text is known and not one of the usual remarks. */
export const Said = ({ says, text, seen }: SaidProps) =>
  says ? sayingWords(says, seen) : (remark(text) ?? <span lang="en">{text}</span>);
