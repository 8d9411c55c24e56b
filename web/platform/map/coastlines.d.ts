declare module 'virtual:coastlines' {
  const packed: { digits: number; lines: number[][]; rings: number[][] };
  export default packed;
}
