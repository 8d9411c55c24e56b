export type Env = Record<string, string | undefined>;

/** The variable that names a file with the value of another. */
export const fileVariable = (name: string): string => `${name}_FILE`;

/** Whether an environment says what a variable is, by itself or by its file. An empty variable says nothing. */
export const isGiven = (name: string, env: Env): boolean => Boolean(env[name] || env[fileVariable(name)]);

/** An environment with values for what it does not say itself. */
export const withFallbacks = (env: Env, fallbacks: Env): Env => ({
  ...env,
  ...Object.fromEntries(Object.entries(fallbacks).filter(([name]) => !isGiven(name, env))),
});

/** An environment with values in place of its own, which may have been in files. */
export function withValues(env: Env, values: Env): Env {
  const changed = { ...env };
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) Object.assign(changed, { [name]: value, [fileVariable(name)]: undefined });
  }
  return changed;
}
