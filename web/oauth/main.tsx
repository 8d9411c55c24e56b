import '../style/index.css';
import './authorize.css';
import { renderPages } from '../parts/appearance.tsx';
import { resume } from '../platform/session.ts';
import { AuthorizePage } from './authorize-page.tsx';

void resume();
void renderPages(<AuthorizePage />, { allTexts: true });
