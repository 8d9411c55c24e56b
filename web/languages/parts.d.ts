// The build provides a catalogue in two parts (web/build/catalogues.ts).
declare module '*.json?first' {
  const catalogue: Readonly<Record<string, string>>;
  export default catalogue;
}

declare module '*.json?rest' {
  const catalogue: Readonly<Record<string, string>>;
  export default catalogue;
}
