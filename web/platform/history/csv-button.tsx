import { queryOf } from '#contract/client/request.ts';
import { createSender } from '#contract/client/send.ts';
import type { Route } from '#contract/route.ts';
import { ActionButton, useAction } from '../../parts/action.tsx';
import { download } from '../../parts/download.ts';
import { api } from '../session.ts';

type CsvProps = {
  label: string;
  /** the name of the file */
  name: string;
  route: Route;
  params: Record<string, string>;
  query: Record<string, string>;
};

/** Downloads an answer as CSV. A plain link would not send the token. */
export function CsvButton({ label, name, route, params, query }: CsvProps) {
  const save = useAction(async () => {
    const platform = api();
    const ask = createSender({ baseUrl: platform.url, token: (refused) => platform.token(refused) });
    const answer = await ask(route, { params, headers: { accept: 'text/csv' } }, queryOf({ ...query, format: 'csv' }));
    download(name, await answer.text(), 'text/csv');
  });
  return <ActionButton does={save} tone="plain" label={label} />;
}
