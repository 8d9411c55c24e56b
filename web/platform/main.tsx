import '../style/index.css';
import { renderPages } from '../parts/appearance.tsx';
import { App } from './app.tsx';
import { registerWorker } from './install.tsx';
import { resume } from './session.ts';
import { detectSimulation } from './simulation.ts';

void resume();
void detectSimulation();
void renderPages(<App />);
registerWorker();
