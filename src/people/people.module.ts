import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessModule } from '../access/access.module.js';
import { AdmissionModule } from '../admission/admission.module.js';
import { ContentModule } from '../content/content.module.js';
import { MailModule } from '../mail/mail.module.js';
import { PublicUrl } from '../http/public-url.js';
import { TenantsModule } from '../tenants/tenants.module.js';
import { WorkModule } from '../work/work.module.js';
import { MemberNames } from '../access/member-names.js';
import { Sessions } from '../access/sessions.js';
import { SignInLinksController } from './links/sign-in-links.controller.js';
import { SignInLinks } from './links/sign-in-links.service.js';
import { MeController } from './me/me.controller.js';
import { MeService } from './me/me.service.js';
import { MyAccount } from './me/my-account.js';
import { MyPasskeys } from './me/my-passkeys.js';
import { MyPasskeysController } from './me/my-passkeys.controller.js';
import { MyPerson } from './me/my-person.js';
import { FlowCookie } from './oidc/flow-cookie.js';
import { OidcController } from './oidc/oidc.controller.js';
import { OidcService } from './oidc/oidc.service.js';
import { OidcProviders } from './oidc/oidc-providers.js';
import { ProvidedMemberships } from './oidc/provided-memberships.js';
import { ProviderPeople } from './oidc/provider-people.js';
import { ProviderSignIn } from './oidc/provider-sign-in.js';
import { PasskeySignIn } from './passkeys/passkey-sign-in.js';
import { Passkeys } from './passkeys/passkeys.js';
import { ResetsController } from './resets/resets.controller.js';
import { ResetsService } from './resets/resets.service.js';
import { AccessChanges } from './access-changes.js';
import { CallerRights } from './caller-rights.js';
import { FirstOwners } from './invitations/first-owners.js';
import { InvitationAcceptance } from './invitations/invitation-acceptance.js';
import { Invitations } from './invitations/invitations.js';
import { InvitationsController } from './invitations/invitations.controller.js';
import { NewPeople } from './invitations/new-person.js';
import { MemberLists } from './members/member-lists.service.js';
import { MemberRemoval } from './members/member-removal.js';
import { MembersController } from './members/members.controller.js';
import { MembersService } from './members/members.service.js';
import { RolesController } from './roles/roles.controller.js';
import { RolesService } from './roles/roles.service.js';
import { NamesOfMembers } from './members/member-names.service.js';
import { entities } from './people.tables.js';
import { Passwords } from './passwords/passwords.js';
import { Reviewers } from './reviews/reviewers.js';
import { ReviewMails } from './reviews/review-mails.js';
import { EndedSessions } from './sessions/ended-sessions.js';
import { EnteredTenants } from './sessions/entered-tenants.js';
import { Guessing } from './sessions/guessing.js';
import { NewSessions } from './sessions/new-sessions.js';
import { SessionCache } from './sessions/session-cache.js';
import { SessionHolders } from './sessions/session-holders.js';
import { SessionUses } from './sessions/session-uses.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { SessionsService } from './sessions/sessions.service.js';
import { SignIn } from './sessions/sign-in.js';
import { SignInMethods } from './sessions/sign-in-methods.js';

/** People and their sessions. Global because the guard of every route asks for sessions, and histories for the names of members. */
@Global()
@Module({
  imports: [
    AccessModule,
    AdmissionModule,
    ContentModule,
    MailModule,
    TenantsModule,
    WorkModule,
    TypeOrmModule.forFeature(entities),
  ],
  controllers: [
    InvitationsController,
    MeController,
    MembersController,
    MyPasskeysController,
    OidcController,
    ResetsController,
    RolesController,
    SessionsController,
    SignInLinksController,
  ],
  providers: [
    AccessChanges,
    CallerRights,
    FirstOwners,
    InvitationAcceptance,
    Invitations,
    MemberLists,
    MemberRemoval,
    MembersService,
    NewPeople,
    PublicUrl,
    RolesService,
    EndedSessions,
    EnteredTenants,
    Guessing,
    NewSessions,
    MeService,
    MyAccount,
    MyPasskeys,
    MyPerson,
    FlowCookie,
    OidcProviders,
    OidcService,
    ProvidedMemberships,
    ProviderPeople,
    ProviderSignIn,
    PasskeySignIn,
    Passkeys,
    Passwords,
    ResetsService,
    Reviewers,
    ReviewMails,
    SessionCache,
    SessionHolders,
    SessionUses,
    SessionsService,
    SignIn,
    SignInLinks,
    SignInMethods,
    { provide: MemberNames, useClass: NamesOfMembers },
    { provide: Sessions, useExisting: SessionCache },
  ],
  exports: [MemberNames, Sessions],
})
export class PeopleModule {}
