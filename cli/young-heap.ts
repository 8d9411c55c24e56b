import { setFlagsFromString } from 'node:v8';

/** While a program is loaded nearly everything stays, so that room for garbage would be taken and never be used. */
export function keepYoungHeapSmall(): void {
  setFlagsFromString('--max-semi-space-size=4'); // MB, of threads that start later
  setFlagsFromString('--semi-space-growth-factor=1');
}

/** Room for garbage as load needs it: the default of V8. */
export const letYoungHeapGrow = (): void => setFlagsFromString('--semi-space-growth-factor=2');
