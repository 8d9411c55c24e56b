import { render } from 'preact';
import '../style/index.css';
import '../parts/appearance.tsx';
import { App } from './app.tsx';

render(<App />, document.getElementById('page')!);
