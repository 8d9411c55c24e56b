import { theme } from '../parts/appearance.tsx';

export type Colours = ReturnType<typeof createColours>;

/** Resolves colour tokens at an element: a canvas supports neither CSS variables nor `light-dark()`. */
export function createColours(host: HTMLElement) {
  const probe = host.appendChild(document.createElement('span'));
  probe.hidden = true;
  const known = new Map<string, string>();
  /** Returns the colour of a token in a form that a canvas accepts. */
  const of = (token: string): string => {
    let colour = known.get(token);
    if (colour === undefined) {
      probe.style.color = `var(--${token})`;
      colour = getComputedStyle(probe).color;
      known.set(token, colour);
    }
    return colour;
  };
  return {
    of,
    faint: (token: string): string => of(token).replace(/^rgb\((.*)\)$/, 'rgba($1, 0.22)'),
    /** Makes the next lookups read the tokens again. */
    refresh: (): void => known.clear(),
  };
}

/** Calls `changed` when the page turns light or dark, also for printing. Returns a function that stops it. */
export function onSchemeChange(changed: () => void): () => void {
  const ending = new AbortController();
  for (const query of ['(prefers-color-scheme: dark)', 'print']) {
    matchMedia(query).addEventListener('change', changed, { signal: ending.signal });
  }
  const stop = theme.subscribe(changed);
  return () => {
    ending.abort();
    stop();
  };
}
