import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { ownNames, readName } from '../../fields/localized/localized-names.js';
import type { PresentedDraft } from '../drafts/draft-presenter.js';
import type { Caller } from '../../http/caller.js';
import { selectedFields } from '../reading/field-selection.js';
import { Schemas } from '../schemas.js';
import { assertKnownLocale, type LocaleRequest, shownLocales } from './locale-request.js';
import { assertKnownCodes } from './known-codes.js';
import { Problem } from '../../errors/problem.js';
import { liveLocales, type ShownJson, type ShownLocales } from './shown-json.js';
import { localesOf } from './tenant-locales.js';

/** What is shown in a locale: values of a type, as they are stored. */
interface Shown {
  typeId: string;
  fields: string;
}

/** Shows single entries, drafts and versions in a locale. They have the values of locales that are taken off, too. */
@Injectable()
export class LocalePresenter {
  constructor(
    private readonly database: Database,
    private readonly schemas: Schemas,
  ) {}

  /** Returns it as it is without a locale: then it is shown in the default one. Throws a 400 for an unknown one. */
  async in<Resource extends Shown>(
    caller: Caller,
    resource: Resource,
    request: LocaleRequest | undefined,
  ): Promise<Resource & Partial<ShownJson>> {
    const locales = request && (await this.localesOf(caller, resource.typeId, request));
    if (!locales) return resource;
    const [shown] = await selectedFields(caller.share, [{ fields: resource.fields, locales }]);
    return { ...resource, ...shown };
  }

  /** The same for a draft, of which `changed` then names fields of the locale alone. */
  async draftIn<Draft extends PresentedDraft>(
    caller: Caller,
    draft: Draft,
    request: LocaleRequest | undefined,
  ): Promise<Draft> {
    const locales = request && (await this.localesOf(caller, draft.typeId, request));
    if (!locales) return draft;
    const { locale, default: standard, localized } = locales;
    const isShown = (name: string) => {
      const { own, locale: code = standard } = readName(name);
      return locale === '*' || code === locale || !localized.has(own);
    };
    return { ...(await this.in(caller, draft, request)), changed: ownNames(draft.changed.filter(isShown)) };
  }

  /** Throws a 404 unless the entry is live in the locales, and a 400 if one of them is unknown. */
  async assertTranslated({ tenantId }: Caller, { fields }: Shown, codes: readonly string[] | undefined): Promise<void> {
    if (!codes) return;
    const settings = await localesOf(this.database, tenantId);
    assertKnownCodes(codes, settings, 'translated');
    const live = liveLocales(fields);
    if (!codes.every((code) => code === settings.default || live.has(code))) throw Problem.notFound('entry');
  }

  private async localesOf(caller: Caller, typeId: string, request: LocaleRequest): Promise<ShownLocales | undefined> {
    const type = await this.schemas.find(caller, typeId, false);
    if (!type) return undefined;
    const settings = type.locales ?? (await localesOf(this.database, caller.tenantId));
    assertKnownLocale(request.locale, settings);
    return shownLocales(type, settings, request, true);
  }
}

/** The request of a write, whose answer follows its locale. */
export function asRead(locale: string | undefined): LocaleRequest | undefined {
  return locale === undefined ? undefined : { locale, hasFallback: true };
}
