import type { Command } from '../command.ts';

/** The commands by their first word, in the order of the help. Each is loaded when it is called, or helped with. */
const loaders: Readonly<Record<string, () => Promise<readonly Command[]>>> = {
  up: async () => (await import('./up.ts')).upCommands,
  cloud: async () => (await import('./cloud.ts')).cloudCommands,
  gateway: async () => (await import('./gateway.ts')).gatewayCommand,
  price: async () => (await import('./price.ts')).priceCommands,
  sim: async () => (await import('./sim.ts')).simCommands,
  tariffs: async () => (await import('./tariffs.ts')).tariffCommands,
  decode: async () => (await import('./decode.ts')).decodeCommands,
  admin: async () => (await import('./admin.ts')).adminCommands,
};

/** The commands that these words may call: of a known first word those, else all. */
export async function loadCommands(args: readonly string[]): Promise<readonly Command[]> {
  const first = args[0] ?? '';
  const called = Object.hasOwn(loaders, first) ? [loaders[first]!] : Object.values(loaders);
  return (await Promise.all(called.map((load) => load()))).flat();
}

/** What the first words of several commands have in common. */
export const groups: Readonly<Record<string, string>> = {
  '': 'An open, self-hosted energy platform.',
  admin: 'Looks after a platform on its server, also while it runs. Reads the environment of the platform.',
  'admin identity': 'People and programs that sign in.',
  'admin keys': 'The keys that access tokens are signed with.',
  'admin gateway': 'Which key a gateway serial is bound to.',
  tariffs: 'Grid tariffs in files of your own, which the price service reads beside those it comes with.',
  decode: 'Tells what a device says, from a file of what it sent.',
};
