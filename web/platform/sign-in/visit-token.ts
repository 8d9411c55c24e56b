import { tabMemory } from '../../parts/keep.ts';

// The token of a visit lives as long as the tab: whoever looks around leaves nothing behind.
const name = 'visit';

export const keptVisit = (): string | undefined => tabMemory.kept(name);

export const keepVisit = (token: string | undefined): void => tabMemory.keep(name, token);
