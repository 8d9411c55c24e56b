import { render } from 'preact';
import '../style/index.css';
import '../parts/appearance.tsx';
import { App } from './app.tsx';
import { resume } from './session.ts';
import { askForSimulation } from './simulation.ts';

void resume();
void askForSimulation();
render(<App />, document.getElementById('page')!);
