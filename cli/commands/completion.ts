import { type CompletionTable, completionTable } from '../completion/table.ts';
import { type Command, command } from '../line/command.ts';

const shells = ['bash', 'zsh', 'fish'] as const;

type Loaded = { commands: readonly Command[]; groups: Readonly<Record<string, string>> };

/** Its script knows all commands, this one as well: whoever has them hands them over. */
export const completionCommands = (load: () => Promise<Loaded>): Command[] => [
  command({
    name: 'completion',
    summary: 'Print the script by which a shell completes ohmstead commands, options and their values',
    arguments: [{ name: 'shell', oneOf: shells, says: 'which shell' }],
    options: {},
    examples: ['completion bash >> ~/.bashrc', 'completion zsh > ~/.zfunc/_ohmstead', 'completion fish | source'],
    async run({ arguments: { shell: name } }, { stdout }) {
      const { commands, groups } = await load();
      stdout.write(await scriptOf[name](completionTable(commands, groups)));
    },
  }),
];

const scriptOf = {
  bash: async (table) => (await import('../completion/bash.ts')).bashScript(table),
  zsh: async (table) => (await import('../completion/zsh.ts')).zshScript(table),
  fish: async (table) => (await import('../completion/fish.ts')).fishScript(table),
} satisfies Record<(typeof shells)[number], (table: CompletionTable) => Promise<string>>;
