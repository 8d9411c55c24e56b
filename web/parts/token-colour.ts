/** The colour of a token as a canvas takes it: what the stylesheet makes of it in the theme of now. */
export function tokenColour(name: string, within: Element = document.body): string {
  const probe = document.createElement('span');
  probe.hidden = true;
  probe.style.color = `var(--${name})`;
  within.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
