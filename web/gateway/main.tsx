import { render } from 'preact';
import '../style/index.css';
import '../parts/theme.ts';
import { App } from './app.tsx';

render(<App />, document.getElementById('page')!);
