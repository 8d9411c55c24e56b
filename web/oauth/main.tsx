import { render } from 'preact';
import '../style/index.css';
import './authorize.css';
import '../parts/appearance.tsx';
import { resume } from '../platform/session.ts';
import { AuthorizePage } from './authorize-page.tsx';

void resume();
render(<AuthorizePage />, document.getElementById('page')!);
