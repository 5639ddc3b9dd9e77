import { Dialog } from '@base-ui/react/dialog';
import { type KeyboardEvent, useId, useMemo, useRef, useState } from 'react';
import { ProblemMessage } from '../../parts/problem-message';
import dialog from '../../parts/dialog.module.css';
import styles from './palette.module.css';
import { findPlaces, GROUPS, type Place } from './place';
import { useFoundPlaces } from './use-found-places';
import { useKnownPlaces } from './use-known-places';

/** Finds whatever the tenant has, and goes there. */
export default function Palette({ onClose }: { onClose: () => void }) {
  const listId = useId();
  const input = useRef<HTMLInputElement>(null);
  const isLeaving = useRef(false);
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(0);
  const known = useKnownPlaces();
  const { places: found, isSearching, error, retry } = useFoundPlaces(typed);
  // What the service finds comes below, so that nothing moves under the one that is chosen.
  const places = useMemo(() => [...findPlaces(known, typed), ...found], [known, typed, found]);
  const choose = (place: Place | undefined) => {
    if (!place) return;
    isLeaving.current = !place.isHere;
    onClose();
    place.go();
    if (isLeaving.current) requestAnimationFrame(focusPage);
  };
  const move = (to: number) => {
    const index = Math.max(0, Math.min(to, places.length - 1));
    setActive(index);
    document.getElementById(`${listId}-${index}`)?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const keys: Record<string, () => void> = {
      ArrowDown: () => move(active + 1),
      ArrowUp: () => move(active - 1),
      PageDown: () => move(active + 5),
      PageUp: () => move(active - 5),
      Enter: () => choose(places[active]),
    };
    const act = keys[event.key];
    if (!act || event.nativeEvent.isComposing) return;
    event.preventDefault();
    act();
  };
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={dialog.backdrop} />
        <Dialog.Popup className={styles.popup} initialFocus={input} finalFocus={() => !isLeaving.current}>
          <Dialog.Title className={styles.title}>Go to</Dialog.Title>
          <input
            ref={input}
            role="combobox"
            aria-label="Find"
            aria-autocomplete="list"
            aria-expanded="true"
            aria-controls={listId}
            aria-activedescendant={places[active] && `${listId}-${active}`}
            autoComplete="off"
            spellCheck={false}
            dir="auto"
            placeholder="Find content, forms, files, settings and actions"
            className={styles.input}
            value={typed}
            onChange={({ target }) => {
              setActive(0);
              setTyped(target.value);
            }}
            onKeyDown={onKeyDown}
          />
          <div id={listId} role="listbox" aria-label="Results" className={styles.list}>
            {GROUPS.map((group) => (
              <PlaceGroup key={group} {...{ group, places, active, listId }} onChoose={choose} />
            ))}
          </div>
          <div className={styles.end}>
            <ProblemMessage error={error} onRetry={retry} />
            <p role="status" className={styles.state}>
              {places.length === 0 && !error && (isSearching ? 'Searching …' : 'Nothing was found.')}
            </p>
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Reading and tabbing go on at the page that was gone to, unless it has opened a dialog. */
function focusPage(): void {
  if (!document.querySelector('[role=dialog]')) document.getElementById('main')?.focus({ preventScroll: true });
}

interface PlaceGroupProps {
  group: Place['group'];
  /** All that was found, in the order in which the keys go through it. */
  places: readonly Place[];
  active: number;
  listId: string;
  onChoose: (place: Place) => void;
}

function PlaceGroup({ group, places, active, listId, onChoose }: PlaceGroupProps) {
  const own = places.flatMap((place, index) => (place.group === group ? [{ place, index }] : []));
  if (own.length === 0) return null;
  return (
    <div role="group" aria-label={group}>
      <div className={styles.group} aria-hidden="true">
        {group}
      </div>
      {own.map(({ place, index }) => (
        <div
          key={place.id}
          id={`${listId}-${index}`}
          role="option"
          aria-selected={index === active}
          aria-label={place.name}
          className={styles.option}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onChoose(place)}
        >
          <span className={styles.name} dir="auto">
            {place.name}
          </span>
          <span className={styles.about} data-about={place.about ?? ''} />
        </div>
      ))}
    </div>
  );
}
