import { useState } from 'react';
import { Select } from '../../parts/fields/select';
import { chooseTheme, chosenTheme, THEMES, type Theme } from '../../session/theme';

const NAMES: Readonly<Record<Theme, string>> = { system: 'As the system', light: 'Light', dark: 'Dark' };

/** Kept in this browser. */
export function ThemeChoice() {
  const [chosen, setChosen] = useState(chosenTheme);
  const choose = (value: string) => {
    const theme = THEMES.find((each) => each === value) ?? 'system';
    chooseTheme(theme);
    setChosen(theme);
  };
  return (
    <Select label="Theme" help="Kept in this browser." value={chosen} onChange={({ target }) => choose(target.value)}>
      {THEMES.map((theme) => (
        <option key={theme} value={theme}>
          {NAMES[theme]}
        </option>
      ))}
    </Select>
  );
}
