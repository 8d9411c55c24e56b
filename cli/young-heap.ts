import { setFlagsFromString } from 'node:v8';

const mayGrow = (factor: number): void => setFlagsFromString(`--semi-space-growth-factor=${factor}`);

/** While a program is loaded nearly everything stays, so that room for garbage would be taken and never be used. */
export function keepYoungHeapSmall(): void {
  setFlagsFromString('--max-semi-space-size=4'); // MB, of threads that start later
  mayGrow(1);
}

/**
 * One step from 1 MB to 4, for a large program: the platform would be searched for garbage seventy times before it answers,
 * and is some twenty times. Nothing is loaded meanwhile, since what is compiled with other flags is of no use to other commands.
 */
export function enlargeYoungHeap(): void {
  mayGrow(4);
  Array.from({ length: 40_000 }, (_, index) => [index]); // 2 MB that stay until the room for them is found
  mayGrow(1);
}

/** Room for garbage as load needs it: the default of V8. */
export const letYoungHeapGrow = (): void => mayGrow(2);
