import type { Command } from '../line/command.ts';

type CommandGroup = { help: string; load(): Promise<readonly Command[]> };

/** The first words of all commands, in the order of the help. Each loads its commands when called. */
export const commandGroups: Readonly<Record<string, CommandGroup>> = {
  up: {
    help: 'run everything on this machine',
    async load() {
      return (await import('./up.ts')).upCommands;
    },
  },
  login: { help: 'sign in to a platform', load: async () => [(await import('./login.ts')).login] },
  logout: { help: 'sign out', load: async () => [(await import('./login.ts')).logout] },
  whoami: { help: 'show who is signed in', load: async () => [(await import('./login.ts')).whoami] },
  org: { help: 'manage organizations and their members', load: async () => (await import('./org.ts')).orgCommands },
  site: { help: 'manage sites', load: async () => (await import('./site.ts')).siteCommands },
  gateway: {
    help: 'run a gateway; find, claim and release gateways',
    load: async () => (await import('./gateway.ts')).gatewayCommands,
  },
  device: {
    help: 'manage devices of a gateway or site',
    load: async () => (await import('./device.ts')).deviceCommands,
  },
  cloud: {
    help: 'run the platform',
    async load() {
      return (await import('./cloud.ts')).cloudCommands;
    },
  },
  price: {
    help: 'show electricity prices; run the price service',
    load: async () => (await import('./price.ts')).priceCommands,
  },
  watch: { help: 'show live readings of a site', load: async () => (await import('./watch.ts')).watchCommands },
  command: {
    help: 'charge, discharge or curtail',
    load: async () => (await import('./command.ts')).controlCommands,
  },
  export: { help: 'export history to a file', load: async () => (await import('./export.ts')).exportCommands },
  sim: { help: 'simulate devices or a fleet of gateways', load: async () => (await import('./sim.ts')).simCommands },
  tariffs: {
    help: 'find, check and import grid tariffs',
    load: async () => (await import('./tariffs.ts')).tariffCommands,
  },
  decode: { help: 'decode data of a meter or device', load: async () => (await import('./decode.ts')).decodeCommands },
  config: {
    help: 'check and describe the configuration',
    load: async () => (await import('./config.ts')).configCommands,
  },
  doctor: {
    help: 'find problems on this machine',
    load: async () => (await import('./doctor.ts')).doctorCommands,
  },
  backup: { help: 'back up the data', load: async () => (await import('./backup.ts')).backupCommands },
  restore: { help: 'restore a backup', load: async () => (await import('./backup.ts')).restoreCommands },
  admin: { help: 'administer a platform on its server', load: async () => (await import('./admin.ts')).adminCommands },
  completion: {
    help: 'set up completion for bash, zsh or fish',
    load: async () => (await import('./completion.ts')).completionCommands(loadAll),
  },
};

/** Loads the commands of the first word; all commands if it is unknown. */
export async function loadCommands(args: readonly string[]): Promise<readonly Command[]> {
  const first = args[0] ?? '';
  const called = Object.hasOwn(commandGroups, first) ? [commandGroups[first]!] : Object.values(commandGroups);
  return (await Promise.all(called.map(({ load }) => load()))).flat();
}

const loadAll = async () => ({ commands: await loadCommands([]), groups: groupSummaries });

/** Summaries of the groups, for their help. */
export const groupSummaries: Readonly<Record<string, string>> = {
  '': 'An open, self-hosted energy platform.',
  org: 'Organizations own sites and gateways. The role of a member decides what they may do.',
  site: 'Sites are places with a grid connection, with their location and price area.',
  gateway: 'Gateways read the devices of a home. Claiming a gateway adds it to an organization.',
  device:
    'Add devices to a gateway, which reads them, and provision them to a site, which stores and shows their readings.',
  price: 'Electricity prices.',
  sim: 'Simulated devices that speak real protocols, and simulated fleets of gateways.',
  config: 'Configuration of the programs, from a file and the environment.',
  admin:
    'Administration of a platform on its server; the platform may be running. Uses the configuration of the platform.',
  'admin identity': 'Users and programs that sign in.',
  'admin keys': 'Signing keys of access tokens.',
  'admin oauth': 'Applications that use this platform for sign-in (OAuth).',
  'admin gateway': 'Gateway serials and their public keys.',
  tariffs: 'Grid tariffs: find them by operator, place or name, and import your own.',
  decode: 'Decodes recorded data of a device.',
};
