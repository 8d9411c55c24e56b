export type Level = 'ok' | 'warning' | 'problem';

/** What was found about something, in a sentence, and what to do next where something is to be done. */
export type Finding = { about: string; level: Level; says: string; next?: string };

/** Findings about one subject. */
export const findingsAbout = (about: string) => ({
  ok: (says: string): Finding => ({ about, level: 'ok', says }),
  warning: (says: string, next: string): Finding => ({ about, level: 'warning', says, next }),
  problem: (says: string, next: string): Finding => ({ about, level: 'problem', says, next }),
});
