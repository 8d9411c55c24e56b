import { NotThisDevice } from '../profile.ts';

const spokenWithVowel = /^([AEIOU]|SMA|SAJ)/;

/** The sentence for the installer: what was found, and what it therefore is not. */
export function refusal({ display_name }: { display_name: string }, finding: string): NotThisDevice {
  const article = spokenWithVowel.test(display_name) ? 'an' : 'a';
  return new NotThisDevice(`This is not ${article} ${display_name}: ${finding}.`);
}
