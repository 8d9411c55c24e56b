import type { HeardDevice } from '../heard-devices.ts';
import { ReadRegister } from './read-register.tsx';
import { WriteRegister } from './write-register.tsx';

export const RegistersTab = ({ device: { sn } }: { device: HeardDevice }) => (
  <div class="cards">
    <ReadRegister key={sn} sn={sn} />
    <WriteRegister key={`${sn} w`} sn={sn} />
  </div>
);
