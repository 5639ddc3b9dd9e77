import { useLocation } from 'wouter';
import { CONSOLE } from '../base';
import { Menu, MenuItem } from '../parts/menu';
import { useSession } from '../session/session';
import { useTenant } from './tenant';
import styles from './bar-menu.module.css';

/** The name of the tenant, and the others that the person may enter. */
export function TenantMenu() {
  const { tenants } = useSession();
  const tenant = useTenant();
  const [, navigate] = useLocation();
  return (
    <div className={styles.tenant}>
      <span className={styles.name} dir="auto">
        {tenant.name}
      </span>
      {tenants.length > 1 && (
        <Menu name="Tenant" className={styles.trigger} face={<Chevron />}>
          {tenants.map(({ id, name }) => (
            <MenuItem key={id} isCurrent={id === tenant.id} onSelect={() => navigate(`~${CONSOLE}/${id}`)}>
              {name}
            </MenuItem>
          ))}
        </Menu>
      )}
    </div>
  );
}

function Chevron() {
  return (
    <svg className={styles.chevron} viewBox="0 0 16 16" aria-hidden="true">
      <path d="m4 6 4 4 4-4" />
    </svg>
  );
}
