import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useLocation } from 'wouter';
import { listTypes } from '../../api/content-types';
import { listForms } from '../../api/forms';
import { CONSOLE } from '../../base';
import { say } from '../../parts/status';
import { typesKey } from '../../screens/content/keys';
import { formsKey } from '../../screens/forms/keys';
import { mayFor, maySome } from '../../session/rights';
import { signOutAndLeave, useSession } from '../../session/session';
import { chooseTheme, THEMES } from '../../session/theme';
import { sectionsFor, settingsFor } from '../sections';
import { useTenant } from '../tenant';
import { actionsFor } from './actions';
import { chooseFiles } from './choose-files';
import type { Place } from './place';
import { useRecentPlaces } from './recent-places';

/** Everything that the palette knows without a search: pages, types, forms and actions, as far as the session may. */
export function useKnownPlaces(): readonly Place[] {
  const tenant = useTenant();
  const session = useSession();
  const client = useQueryClient();
  const [location, navigate] = useLocation();
  const [recent] = useRecentPlaces();
  const { data: types } = useQuery({
    queryKey: typesKey(tenant.id),
    queryFn: ({ signal }) => listTypes(tenant.id, signal),
    enabled: maySome(tenant, 'content:read:published'),
  });
  const { data: forms } = useQuery({
    queryKey: formsKey(tenant.id),
    queryFn: ({ signal }) => listForms(tenant.id, signal),
    enabled: maySome(tenant, 'forms:read'),
  });
  return useMemo(() => {
    const to = (
      group: Place['group'],
      name: string,
      href: string,
      more: Pick<Place, 'about' | 'words'> = {},
    ): Place => {
      const at = href === '/' ? '' : href;
      return { id: `${group} ${href}`, group, name, ...more, go: () => navigate(at) };
    };
    const act = (name: string, go: () => void, words?: string): Place => {
      return { id: `Actions ${name}`, group: 'Actions', name, isHere: true, go, ...(words !== undefined && { words }) };
    };
    const upload = () => chooseFiles(client, tenant.id, () => navigate('/media'));
    const signOut = () => void signOutAndLeave().catch((error: Error) => say(error.message));
    return [
      ...recent.filter(({ href }) => href !== location).map(({ name, href }) => to('Recent', name, href)),
      ...sectionsFor(tenant).map(({ name, path }) => to('Pages', name, path)),
      ...settingsFor(tenant).map(({ name, path }) => to('Pages', name, path, { about: 'Settings', words: 'Settings' })),
      to('Pages', 'Me', '/me', { words: 'account password passkeys sessions' }),
      ...(types ?? []).map(({ name, slug }) => to('Content types', name, `/content/${slug}`, { words: slug })),
      ...(forms ?? []).map(({ name, slug }) => to('Forms', name, `/forms/${slug}`, { words: slug })),
      ...actionsFor(tenant).map(({ name, href }) => to('Actions', name, href)),
      ...(maySome(tenant, 'media:write') ? [act('Upload', upload, 'file media picture')] : []),
      ...(types ?? [])
        .filter((type) => mayFor(tenant, 'content:draft', type))
        .map(({ name, slug }) => to('Actions', `New entry in ${name}`, `/content/${slug}/new`)),
      ...(types ?? [])
        .filter((type) => mayFor(tenant, 'content:write', type))
        .map(({ name, slug }) => to('Actions', `Edit content type ${name}`, `/types/${slug}`)),
      ...session.tenants
        .filter(({ id }) => id !== tenant.id)
        .map(({ id, name }) => act(`Open ${name}`, () => navigate(`~${CONSOLE}/${id}`), 'tenant')),
      ...THEMES.map((theme) => act(`Theme: ${theme}`, () => chooseTheme(theme), 'colours mode')),
      act('Sign out', signOut),
    ];
  }, [client, forms, location, navigate, recent, session.tenants, tenant, types]);
}
