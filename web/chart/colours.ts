import { theme } from '../parts/theme.ts';

export type Colours = {
  /** A token as a colour that a canvas understands. */
  of(token: string): string;
  faint(token: string): string;
  /** Reads the tokens again. */
  refresh(): void;
};

/** The tokens as they are at an element: a canvas knows neither variables nor the scheme of the page. */
export function createColours(host: HTMLElement): Colours {
  const probe = host.appendChild(document.createElement('span'));
  probe.hidden = true;
  const known = new Map<string, string>();
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
    faint: (token) => of(token).replace(/^rgb\((.*)\)$/, 'rgba($1, 0.22)'),
    refresh: () => known.clear(),
  };
}

/** Calls when the page becomes light or dark; returns what stops it. */
export function onSchemeChange(changed: () => void): () => void {
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  scheme.addEventListener('change', changed);
  const stop = theme.subscribe(changed);
  return () => {
    scheme.removeEventListener('change', changed);
    stop();
  };
}
