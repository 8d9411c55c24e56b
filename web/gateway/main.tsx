import '../style/index.css';
import { renderPages } from '../parts/appearance.tsx';
import { App } from './app.tsx';

void renderPages(<App />, { allTexts: true });
