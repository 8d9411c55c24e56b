import { derWords } from '../../parts/der-words.ts';
import type { Controllable } from './controllable.ts';

export const partName = ({ type, device }: Controllable): string => `${derWords(type)} · ${device.name}`;
