import { render } from 'preact';
import '../style/index.css';
import '../parts/theme.ts';

render(<p>…</p>, document.getElementById('page')!);
