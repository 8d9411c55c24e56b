const browsers: readonly [name: string, form: RegExp][] = [
  ['Edge', /\bEdgA?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
];

const systems: readonly [name: string, form: RegExp][] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMacintosh\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
];

const maxCharacters = 64;

/** Describes a program by its User-Agent header, such as `Chrome on Linux` or `curl/8.5.0`. Anyone can send any header. */
export function describeProgram(userAgent: string | undefined): string {
  const find = (list: typeof browsers): string | undefined => list.find(([, form]) => form.test(userAgent ?? ''))?.[0];
  const [browser, system] = [find(browsers), find(systems)];
  if (browser) return system ? `${browser} on ${system}` : browser;
  return /^[\w./-]+/.exec(userAgent ?? '')?.[0].slice(0, maxCharacters) ?? 'Unknown program';
}
