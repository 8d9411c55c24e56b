import type { Command } from '../line/command.ts';
import { enlargeYoungHeap } from '../young-heap.ts';

type Word = { says: string; load(): Promise<readonly Command[]> };

/** The first words of all commands, in the order of the help. What is behind a word is loaded when it is called. */
export const words: Readonly<Record<string, Word>> = {
  up: {
    says: 'run everything on this machine',
    async load() {
      enlargeYoungHeap();
      return (await import('./up.ts')).upCommands;
    },
  },
  login: { says: 'sign in to a platform', load: async () => [(await import('./login.ts')).login] },
  logout: { says: 'sign out', load: async () => [(await import('./login.ts')).logout] },
  whoami: { says: 'who is signed in where', load: async () => [(await import('./login.ts')).whoami] },
  org: { says: 'organizations and their members', load: async () => (await import('./org.ts')).orgCommands },
  site: { says: 'sites: the places that are measured', load: async () => (await import('./site.ts')).siteCommands },
  gateway: {
    says: 'run a gateway; find, claim and release gateways',
    load: async () => (await import('./gateway.ts')).gatewayCommands,
  },
  device: {
    says: 'devices of a gateway and of a site',
    load: async () => (await import('./device.ts')).deviceCommands,
  },
  cloud: {
    says: 'run the platform',
    async load() {
      enlargeYoungHeap();
      return (await import('./cloud.ts')).cloudCommands;
    },
  },
  price: {
    says: 'run the price service; tell what electricity costs',
    load: async () => (await import('./price.ts')).priceCommands,
  },
  watch: { says: 'show what a site measures, live', load: async () => (await import('./watch.ts')).watchCommands },
  command: {
    says: 'charge, discharge or curtail for a while',
    load: async () => (await import('./command.ts')).controlCommands,
  },
  export: { says: 'write history to a file', load: async () => (await import('./export.ts')).exportCommands },
  sim: { says: 'play a house of devices on real wires', load: async () => (await import('./sim.ts')).simCommands },
  tariffs: {
    says: 'find grid tariffs, and bring your own',
    load: async () => (await import('./tariffs.ts')).tariffCommands,
  },
  decode: { says: 'tell what a device says', load: async () => (await import('./decode.ts')).decodeCommands },
  config: {
    says: 'check and describe the configuration',
    load: async () => (await import('./config.ts')).configCommands,
  },
  doctor: {
    says: 'tell what is wrong here, and what to do',
    load: async () => (await import('./doctor.ts')).doctorCommands,
  },
  backup: { says: 'copy the data, and prove the copy', load: async () => (await import('./backup.ts')).backupCommands },
  restore: { says: 'put a backup back', load: async () => (await import('./backup.ts')).restoreCommands },
  admin: { says: 'look after a platform on its server', load: async () => (await import('./admin.ts')).adminCommands },
  completion: {
    says: 'completion for bash, zsh or fish',
    load: async () => (await import('./completion.ts')).completionCommands(loadAll),
  },
};

/** The commands that these words may call: of a known first word those, else all. */
export async function loadCommands(args: readonly string[]): Promise<readonly Command[]> {
  const first = args[0] ?? '';
  const called = Object.hasOwn(words, first) ? [words[first]!] : Object.values(words);
  return (await Promise.all(called.map(({ load }) => load()))).flat();
}

const loadAll = async () => ({ commands: await loadCommands([]), groups });

/** What the first words of several commands have in common. */
export const groups: Readonly<Record<string, string>> = {
  '': 'An open, self-hosted energy platform.',
  org: 'Organizations hold sites and gateways; members see and change them by their role.',
  site: 'Sites are the places that are measured: where they are, and what their electricity costs.',
  gateway: 'Gateways sit next to the devices of a home. Claiming one brings it into an organization.',
  device: 'Devices are added to a gateway, which measures them, and provisioned to a site, which shows them.',
  price: 'What electricity costs.',
  sim: 'Simulated devices on real wires, and fleets of gateways that keep a ledger.',
  config: 'What the programs run with: a file, and the environment above it.',
  admin: 'Looks after a platform on its server, also while it runs. Reads the environment of the platform.',
  'admin identity': 'People and programs that sign in.',
  'admin keys': 'The keys that access tokens are signed with.',
  'admin oauth': 'Applications that sign people in with their identity here.',
  'admin gateway': 'Which key a gateway serial is bound to.',
  tariffs: 'Grid tariffs: finds them by operator, place or name, and brings files of your own to the price service.',
  decode: 'Tells what a device says, from a file of what it sent.',
};
