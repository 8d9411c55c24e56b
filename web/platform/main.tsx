import { render } from 'preact';
import '../style/index.css';
import '../parts/appearance.tsx';
import { App } from './app.tsx';
import { resume } from './session.ts';
import { detectSimulation } from './simulation.ts';

void resume();
void detectSimulation();
render(<App />, document.getElementById('page')!);
