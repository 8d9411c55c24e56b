import { signal } from '@preact/signals';
import { keep, kept } from './keep.ts';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

export const theme = signal<Theme>(themes.find((name) => name === kept('theme')) ?? 'system');

theme.subscribe((name) => {
  document.documentElement.dataset.theme = name;
});

export function wear(name: Theme): void {
  keep('theme', name === 'system' ? undefined : name);
  theme.value = name;
}
