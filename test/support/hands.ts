import type { Locator, Page } from 'playwright-core';

type Role = Parameters<Page['getByRole']>[0];

/** Where something is looked for: a page, or a part of it. */
type Place = Pick<Page, 'getByRole'>;

/** What a person does on a page, by the names that they read, with the number of their clicks and keys. */
export class Hands {
  clicks = 0;
  keys = 0;

  constructor(readonly page: Page) {}

  async click(role: Role, name: string | RegExp, place: Place = this.page): Promise<void> {
    await this.clickOn(place.getByRole(role, named(name)));
  }

  async clickOn(target: Locator): Promise<void> {
    await target.click();
    this.clicks++;
  }

  /** A click into the field, and its text. */
  async type(role: Role, name: string | RegExp, text: string, place: Place = this.page): Promise<void> {
    await this.typeInto(place.getByRole(role, named(name)), text);
  }

  /** A date is typed by its parts, too. */
  async typeInto(target: Locator, text: string): Promise<void> {
    await target.fill(text);
    this.clicks++;
    this.keys += text.length;
  }

  /** A click to open the list, and one on the option. */
  async choose(name: string, option: string, place: Place = this.page): Promise<void> {
    await place.getByRole('combobox', named(name)).selectOption(option);
    this.clicks += 2;
  }

  async check(name: string, place: Place = this.page): Promise<void> {
    await place.getByRole('checkbox', named(name)).check();
    this.clicks++;
  }

  async press(key: string): Promise<void> {
    await this.page.keyboard.press(key);
    this.keys++;
  }

  async sees(text: string | RegExp): Promise<void> {
    await this.page.getByText(text).first().waitFor();
  }

  /** `12 clicks, 140 keys` */
  get effort(): string {
    return `${this.clicks} clicks, ${this.keys} keys`;
  }
}

function named(name: string | RegExp) {
  return typeof name === 'string' ? { name, exact: true } : { name };
}
