import './styles/tokens.css';
import './styles/base.css';
import { createRoot } from 'react-dom/client';
import { App } from './app';
import { applyTheme } from './session/theme';
import { restoreFragment, takeSignInLink } from './session/fragment';

/** Set where the service has sent the browser here from another host. */
const MOVED = 'moved';

applyTheme();
restoreFragment();
takeSignInLink();
forgetMove();
const root = document.getElementById('root');
if (root) createRoot(root).render(<App />);

function forgetMove(): void {
  const url = new URL(window.location.href);
  if (!url.searchParams.has(MOVED)) return;
  url.searchParams.delete(MOVED);
  window.history.replaceState(null, '', url);
}
