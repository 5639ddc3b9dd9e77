import { useMutation } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { Menu, MenuItem } from '../parts/menu';
import { say } from '../parts/status';
import { signOutAndLeave, useSession } from '../session/session';
import styles from './bar-menu.module.css';

/** Who is signed in, and what is theirs. */
export function AccountMenu() {
  const { user, key } = useSession();
  const [, navigate] = useLocation();
  const { mutate } = useMutation({ mutationFn: signOutAndLeave, onError: (error) => say(error.message) });
  const name = user ? user.name || user.email : (key?.name ?? '');
  return (
    <div className={styles.account}>
      <span className={styles.person} dir="auto">
        {name}
      </span>
      <Menu
        name="Account"
        className={styles.trigger}
        face={
          <span className={styles.initial} aria-hidden="true">
            {[...name.trim()][0]?.toLocaleUpperCase() ?? '·'}
          </span>
        }
      >
        <MenuItem onSelect={() => navigate('/me')}>Me</MenuItem>
        <MenuItem onSelect={() => mutate()}>Sign out</MenuItem>
      </Menu>
    </div>
  );
}
