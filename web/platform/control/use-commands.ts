import { type Signal, signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { type Command, listCommands } from '#contract/cloud/commands.ts';
import { type Load, useLoad } from '../../parts/load.tsx';
import type { Live } from '../live.ts';
import { api } from '../session.ts';
import { type CommandLists, withCommand } from './command-list.ts';

export type Commands = { lists: Signal<CommandLists>; loading: Load<true>; heard(command: Command): void };

const perDer = 20;

/** The commands of these DERs, as they are and as they move on. */
export function useCommands(derIds: readonly string[], live: Live): Commands {
  const lists = useMemo(() => signal<CommandLists>(new Map()), []);
  const heard = (command: Command): void => {
    lists.value = withCommand(lists.peek(), command);
  };
  const loading = useLoad<true>(
    async (leaving) => {
      const found = await Promise.all(
        derIds.map((der_id) =>
          api().call(listCommands, { params: { der_id }, query: { limit: perDer }, signal: leaving }),
        ),
      );
      found.flat().forEach(heard);
      return true;
    },
    [derIds.join()],
  );
  const { again } = loading;
  useEffect(() => {
    return live.listen((event) => {
      if (event.type === 'command') heard(event.data);
      if (event.type === 'connected') again(); // what became of commands meanwhile is not told again
    });
  }, [live, again]);
  return { lists, loading, heard };
}
