import type { Command } from '../line/command.ts';

type CommandGroup = { help: string; load(): Promise<{ commands: readonly Command[] }> };

const group = (help: string, load: CommandGroup['load']): CommandGroup => ({ help, load });

/** The first words of all commands, in the order of the help. Each loads its commands when called. */
export const commandGroups: Readonly<Record<string, CommandGroup>> = {
  up: group('run everything on this machine', () => import('./up.ts')),
  login: group('sign in to a platform', () => import('./login.ts')),
  logout: group('sign out', () => import('./login.ts')),
  whoami: group('show who is signed in', () => import('./login.ts')),
  org: group('manage organizations and their members', () => import('./org.ts')),
  site: group('manage sites', () => import('./site.ts')),
  gateway: group('run a gateway; find, claim and release gateways', () => import('./gateway.ts')),
  device: group('manage devices of a gateway or site', () => import('./device.ts')),
  cloud: group('run the platform', () => import('./cloud.ts')),
  price: group('show electricity prices; run the price service', () => import('./price.ts')),
  watch: group('show live readings of a site', () => import('./watch.ts')),
  command: group('charge, discharge or curtail', () => import('./command.ts')),
  control: group('list and cancel commands of a site', () => import('./control.ts')),
  energy: group('show the energy of a site', () => import('./energy.ts')),
  bill: group('show the electricity bill of a site', () => import('./bill.ts')),
  savings: group('show what solar panels and batteries saved', () => import('./bill.ts')),
  carbon: group('show the carbon dioxide of the imported energy', () => import('./bill.ts')),
  alerts: group('choose the alerts of a site and where they are sent', () => import('./alerts.ts')),
  plan: group('plan batteries and cars', () => import('./plan.ts')),
  export: group('export history to a file', () => import('./export.ts')),
  sim: group('simulate devices or a fleet of gateways', () => import('./sim.ts')),
  tariffs: group('find, check and import grid tariffs', () => import('./tariffs.ts')),
  decode: group('decode data of a meter or device', () => import('./decode.ts')),
  config: group('check and describe the configuration', () => import('./config.ts')),
  doctor: group('find problems on this machine', () => import('./doctor.ts')),
  backup: group('back up the data', () => import('./backup.ts')),
  restore: group('restore a backup', () => import('./backup.ts')),
  admin: group('administer a platform on its server', () => import('./admin.ts')),
  completion: group('set up completion for bash, zsh or fish', async () => ({
    commands: (await import('./completion.ts')).completionCommands(loadAll),
  })),
};

/** Loads the commands of the first word; all commands if it is unknown. */
export async function loadCommands([first = '']: readonly string[]): Promise<readonly Command[]> {
  const all = Object.entries(commandGroups);
  const called = Object.hasOwn(commandGroups, first) ? all.filter(([word]) => word === first) : all;
  const loaded = called.map(async ([word, { load }]) => {
    const { commands } = await load();
    return commands.filter(({ name }) => name === word || name.startsWith(`${word} `)); // some files have several groups
  });
  return (await Promise.all(loaded)).flat();
}

const loadAll = async () => ({ commands: await loadCommands([]), groups: groupSummaries });

export const groupSummaries: Readonly<Record<string, string>> = {
  '': 'An open, self-hosted energy platform.',
  org: 'Organizations own sites and gateways. The role of a member decides what they may do.',
  site: 'Sites are places with a grid connection, with their location and price area.',
  gateway: 'Gateways read the devices of a home. Claiming a gateway adds it to an organization.',
  device:
    'Add devices to a gateway, which reads them, and provision them to a site, which stores and shows their readings.',
  price: 'Electricity prices.',
  plan: 'Plans of batteries and cars. plan solve needs no platform and controls nothing.',
  control: 'Active and scheduled commands of a site; ohmstead command sends them.',
  alerts: 'Alerts of a site: its rules, your quiet hours, and the channels that receive them.',
  sim: 'Simulated devices that speak real protocols, and simulated fleets of gateways.',
  config: 'Configuration of the programs, from a file and the environment.',
  admin:
    'Administration of a platform on its server; the platform may be running. Uses the configuration of the platform.',
  'admin identity': 'Users and programs that sign in.',
  'admin keys': 'Signing keys of access tokens.',
  'admin oauth': 'Applications that use this platform for sign-in (OAuth).',
  'admin gateway': 'Gateway serials and their public keys.',
  'admin telemetry': 'Partitions of telemetry in PostgreSQL, and the servers that have them.',
  tariffs: 'Grid tariffs: find them by operator, place or name, and import your own.',
  decode: 'Decodes recorded data of a device.',
};
