import { type CompletionTable, completionTable } from '../completion/table.ts';
import { type Command, command } from '../line/command.ts';

const shells = ['bash', 'zsh', 'fish'] as const;

type Loaded = { commands: readonly Command[]; groups: Readonly<Record<string, string>> };

/** Defines the completion command. Its script includes all commands, so the caller provides a loader for them. */
export const completionCommands = (load: () => Promise<Loaded>): Command[] => [
  command('completion', {
    summary: 'Print a shell script that completes commands, options and values',
    arguments: [{ name: 'shell', oneOf: shells, help: 'name of the shell' }],
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
