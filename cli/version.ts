import { readFileSync } from 'node:fs';

const ofPackage = readFileSync(new URL('../package.json', import.meta.url), 'utf8');

export const { version } = JSON.parse(ofPackage) as { version: string };
