import type { Form } from '#contract/gateway/form.ts';
import type { Mount } from '#lib/http/mount.ts';

/** What a handler of the local API knows beside its request. */
export type LocalContext = {
  form: Form;
  now: number;
  /** the JSON text of the body, as it came */
  bodyText: string;
  /** address of the caller */
  from: string;
};

export type LocalMount = Mount<LocalContext>;
