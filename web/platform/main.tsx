import '../style/index.css';
import { renderPages } from '../parts/appearance.tsx';
import { App } from './app.tsx';
import { registerWorker } from './install.tsx';
import { resume } from './session.ts';

void resume();
void renderPages(<App />);
registerWorker();
