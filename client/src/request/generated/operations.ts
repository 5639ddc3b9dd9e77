// Generated from openapi.json: npm run client. The contract 247268aae1cc1f55844ca810be6aac15
import type * as types from './types.js';

/** What each operation takes and answers. */
export interface Operations {
  acceptInvitation: [types.AcceptInvitationData, types.AcceptInvitationResponse];
  addMyPasskey: [types.AddMyPasskeyData, types.AddMyPasskeyResponse];
  adoptKey: [types.AdoptKeyData, types.AdoptKeyResponse];
  applyDraft: [types.ApplyDraftData, types.ApplyDraftResponse];
  applySchema: [types.ApplySchemaData, types.ApplySchemaResponse];
  changeEntries: [types.ChangeEntriesData, types.ChangeEntriesResponse];
  compareEntryVersions: [types.CompareEntryVersionsData, types.CompareEntryVersionsResponse];
  createContentType: [types.CreateContentTypeData, types.CreateContentTypeResponse];
  createEntry: [types.CreateEntryData, types.CreateEntryResponse];
  createForm: [types.CreateFormData, types.CreateFormResponse];
  createKey: [types.CreateKeyData, types.CreateKeyResponse];
  createPreviewLink: [types.CreatePreviewLinkData, types.CreatePreviewLinkResponse];
  createRole: [types.CreateRoleData, types.CreateRoleResponse];
  createSession: [types.CreateSessionData, types.CreateSessionResponse];
  createSignInLink: [types.CreateSignInLinkData, types.CreateSignInLinkResponse];
  createWebhook: [types.CreateWebhookData, types.CreateWebhookResponse];
  deleteContentType: [types.DeleteContentTypeData, types.DeleteContentTypeResponse];
  deleteEntry: [types.DeleteEntryData, types.DeleteEntryResponse];
  deleteForm: [types.DeleteFormData, types.DeleteFormResponse];
  deleteMedia: [types.DeleteMediaData, types.DeleteMediaResponse];
  deleteMyPasskey: [types.DeleteMyPasskeyData, types.DeleteMyPasskeyResponse];
  deletePresence: [types.DeletePresenceData, types.DeletePresenceResponse];
  deleteRole: [types.DeleteRoleData, types.DeleteRoleResponse];
  deleteSchedule: [types.DeleteScheduleData, types.DeleteScheduleResponse];
  deleteSubmission: [types.DeleteSubmissionData, types.DeleteSubmissionResponse];
  deleteSubmissions: [types.DeleteSubmissionsData, types.DeleteSubmissionsResponse];
  deleteWebhook: [types.DeleteWebhookData, types.DeleteWebhookResponse];
  discardDraft: [types.DiscardDraftData, types.DiscardDraftResponse];
  endCurrentSession: [types.EndCurrentSessionData, types.EndCurrentSessionResponse];
  endMySession: [types.EndMySessionData, types.EndMySessionResponse];
  endPreviewLinks: [types.EndPreviewLinksData, types.EndPreviewLinksResponse];
  exportEntries: [types.ExportEntriesData, Response];
  exportSubmissions: [types.ExportSubmissionsData, Response];
  finishOidcSignIn: [types.FinishOidcSignInData, Response];
  finishPasswordReset: [types.FinishPasswordResetData, types.FinishPasswordResetResponse];
  followPreviewLink: [types.FollowPreviewLinkData, types.FollowPreviewLinkResponse];
  getChallenge: [types.GetChallengeData, types.GetChallengeResponse];
  getContentType: [types.GetContentTypeData, types.GetContentTypeResponse];
  getContentTypeSchema: [types.GetContentTypeSchemaData, Response];
  getContract: [types.GetContractData, types.GetContractResponse];
  getContractTypes: [types.GetContractTypesData, Response];
  getCurrentSession: [types.GetCurrentSessionData, types.GetCurrentSessionResponse];
  getDraft: [types.GetDraftData, types.GetDraftResponse];
  getEntry: [types.GetEntryData, types.GetEntryResponse];
  getEntryByValue: [types.GetEntryByValueData, types.GetEntryByValueResponse];
  getEntryVersion: [types.GetEntryVersionData, types.GetEntryVersionResponse];
  getErasure: [types.GetErasureData, types.GetErasureResponse];
  getForm: [types.GetFormData, types.GetFormResponse];
  getFormStats: [types.GetFormStatsData, types.GetFormStatsResponse];
  getInvitation: [types.GetInvitationData, types.GetInvitationResponse];
  getInvitationPasskeyOptions: [types.GetInvitationPasskeyOptionsData, types.GetInvitationPasskeyOptionsResponse];
  getLocales: [types.GetLocalesData, types.GetLocalesResponse];
  getMe: [types.GetMeData, types.GetMeResponse];
  getMedia: [types.GetMediaData, types.GetMediaResponse];
  getMediaFile: [types.GetMediaFileData, Response];
  getMediaVariantUrl: [types.GetMediaVariantUrlData, types.GetMediaVariantUrlResponse];
  getMember: [types.GetMemberData, types.GetMemberResponse];
  getMyPasskeyOptions: [types.GetMyPasskeyOptionsData, types.GetMyPasskeyOptionsResponse];
  getPresence: [types.GetPresenceData, types.GetPresenceResponse];
  getPurge: [types.GetPurgeData, types.GetPurgeResponse];
  getRole: [types.GetRoleData, types.GetRoleResponse];
  getSchedule: [types.GetScheduleData, types.GetScheduleResponse];
  getSchema: [types.GetSchemaData, types.GetSchemaResponse];
  getSchemaChange: [types.GetSchemaChangeData, types.GetSchemaChangeResponse];
  getSignInPasskeyOptions: [types.GetSignInPasskeyOptionsData, types.GetSignInPasskeyOptionsResponse];
  getSubmission: [types.GetSubmissionData, types.GetSubmissionResponse];
  getSubmissionFile: [types.GetSubmissionFileData, Response];
  getUsage: [types.GetUsageData, types.GetUsageResponse];
  getUsageHistory: [types.GetUsageHistoryData, types.GetUsageHistoryResponse];
  getWebhook: [types.GetWebhookData, types.GetWebhookResponse];
  getWebhookStats: [types.GetWebhookStatsData, types.GetWebhookStatsResponse];
  importEntries: [types.ImportEntriesData, Response];
  importSubmissions: [types.ImportSubmissionsData, Response];
  inviteMember: [types.InviteMemberData, types.InviteMemberResponse];
  listAuditRecords: [types.ListAuditRecordsData, types.ListAuditRecordsResponse];
  listContentTypes: [types.ListContentTypesData, types.ListContentTypesResponse];
  listDeliveries: [types.ListDeliveriesData, types.ListDeliveriesResponse];
  listDrafts: [types.ListDraftsData, types.ListDraftsResponse];
  listEntries: [types.ListEntriesData, types.ListEntriesResponse];
  listEntryLocales: [types.ListEntryLocalesData, types.ListEntryLocalesResponse];
  listEntryVersions: [types.ListEntryVersionsData, types.ListEntryVersionsResponse];
  listEventTypes: [types.ListEventTypesData, types.ListEventTypesResponse];
  listEvents: [types.ListEventsData, types.ListEventsResponse];
  listForms: [types.ListFormsData, types.ListFormsResponse];
  listKeys: [types.ListKeysData, types.ListKeysResponse];
  listMails: [types.ListMailsData, types.ListMailsResponse];
  listMedia: [types.ListMediaData, types.ListMediaResponse];
  listMediaUses: [types.ListMediaUsesData, types.ListMediaUsesResponse];
  listMembers: [types.ListMembersData, types.ListMembersResponse];
  listMyPasskeys: [types.ListMyPasskeysData, types.ListMyPasskeysResponse];
  listMySessions: [types.ListMySessionsData, types.ListMySessionsResponse];
  listReferrers: [types.ListReferrersData, types.ListReferrersResponse];
  listRoles: [types.ListRolesData, types.ListRolesResponse];
  listSchedules: [types.ListSchedulesData, types.ListSchedulesResponse];
  listSignInMethods: [types.ListSignInMethodsData, types.ListSignInMethodsResponse];
  listSubmissions: [types.ListSubmissionsData, types.ListSubmissionsResponse];
  listTypeLocales: [types.ListTypeLocalesData, types.ListTypeLocalesResponse];
  listWebhooks: [types.ListWebhooksData, types.ListWebhooksResponse];
  markSubmissionAsSpam: [types.MarkSubmissionAsSpamData, types.MarkSubmissionAsSpamResponse];
  planSchema: [types.PlanSchemaData, types.PlanSchemaResponse];
  publishDraft: [types.PublishDraftData, types.PublishDraftResponse];
  purgeLocale: [types.PurgeLocaleData, types.PurgeLocaleResponse];
  redeliverEvent: [types.RedeliverEventData, types.RedeliverEventResponse];
  redeliverFailedEvents: [types.RedeliverFailedEventsData, types.RedeliverFailedEventsResponse];
  releaseSubmission: [types.ReleaseSubmissionData, types.ReleaseSubmissionResponse];
  removeMember: [types.RemoveMemberData, types.RemoveMemberResponse];
  replayEvents: [types.ReplayEventsData, types.ReplayEventsResponse];
  requestErasure: [types.RequestErasureData, types.RequestErasureResponse];
  requestPasswordReset: [types.RequestPasswordResetData, types.RequestPasswordResetResponse];
  requestReview: [types.RequestReviewData, types.RequestReviewResponse];
  resendInvitation: [types.ResendInvitationData, types.ResendInvitationResponse];
  restoreEntryVersion: [types.RestoreEntryVersionData, types.RestoreEntryVersionResponse];
  revokeKey: [types.RevokeKeyData, types.RevokeKeyResponse];
  saveDraft: [types.SaveDraftData, types.SaveDraftResponse];
  searchContent: [types.SearchContentData, types.SearchContentResponse];
  setEntryLocale: [types.SetEntryLocaleData, types.SetEntryLocaleResponse];
  setLocales: [types.SetLocalesData, types.SetLocalesResponse];
  setPresence: [types.SetPresenceData, types.SetPresenceResponse];
  setSchedule: [types.SetScheduleData, types.SetScheduleResponse];
  startOidcSignIn: [types.StartOidcSignInData, Response];
  submitForm: [types.SubmitFormData, types.SubmitFormResponse];
  testWebhook: [types.TestWebhookData, types.TestWebhookResponse];
  updateContentType: [types.UpdateContentTypeData, types.UpdateContentTypeResponse];
  updateEntry: [types.UpdateEntryData, types.UpdateEntryResponse];
  updateForm: [types.UpdateFormData, types.UpdateFormResponse];
  updateMe: [types.UpdateMeData, types.UpdateMeResponse];
  updateMedia: [types.UpdateMediaData, types.UpdateMediaResponse];
  updateMember: [types.UpdateMemberData, types.UpdateMemberResponse];
  updateRole: [types.UpdateRoleData, types.UpdateRoleResponse];
  updateSubmission: [types.UpdateSubmissionData, types.UpdateSubmissionResponse];
  updateWebhook: [types.UpdateWebhookData, types.UpdateWebhookResponse];
  uploadMedia: [types.UploadMediaData, types.UploadMediaResponse];
  withdrawReview: [types.WithdrawReviewData, types.WithdrawReviewResponse];
}

/** The body of a delivery for each type of event. */
export interface EventBodies {
  'content_type.created': types.ContentTypeCreatedEvent;
  'content_type.updated': types.ContentTypeUpdatedEvent;
  'content_type.deleted': types.ContentTypeDeletedEvent;
  'entry.created': types.EntryCreatedEvent;
  'entry.updated': types.EntryUpdatedEvent;
  'entry.deleted': types.EntryDeletedEvent;
  'entry.published': types.EntryPublishedEvent;
  'entry.unpublished': types.EntryUnpublishedEvent;
  'entry.review_requested': types.EntryReviewRequestedEvent;
  'entry.schedule_failed': types.EntryScheduleFailedEvent;
  'form.created': types.FormCreatedEvent;
  'form.updated': types.FormUpdatedEvent;
  'form.deleted': types.FormDeletedEvent;
  'form.submitted': types.FormSubmittedEvent;
  'submission.deleted': types.SubmissionDeletedEvent;
  'media.uploaded': types.MediaUploadedEvent;
  'media.deleted': types.MediaDeletedEvent;
  'webhook.failing': types.WebhookFailingEvent;
  'webhook.disabled': types.WebhookDisabledEvent;
}

/** How an operation is sent. `key`: it takes an Idempotency-Key. `type`: of a body that is not JSON. `raw`: what it answers instead of JSON. */
export interface Route {
  readonly method: string;
  readonly path: string;
  readonly key?: true;
  readonly type?: string;
  readonly raw?: 'body' | 'redirect';
}

export const ROUTES: Readonly<Record<keyof Operations, Route>> = {
  acceptInvitation: { method: 'POST', path: '/v1/invitations/{invitation_token}' },
  addMyPasskey: { method: 'POST', path: '/v1/me/passkeys' },
  adoptKey: { method: 'POST', path: '/v1/keys/{tenant_id}/{key_id}/adopt', key: true },
  applyDraft: { method: 'POST', path: '/v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/draft/apply', key: true },
  applySchema: { method: 'POST', path: '/v1/schema/{tenant_id}/apply', key: true },
  changeEntries: { method: 'POST', path: '/v1/content/{tenant_id}/bulk', key: true },
  compareEntryVersions: { method: 'GET', path: '/v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/versions/{version}/diff' },
  createContentType: { method: 'POST', path: '/v1/content/{tenant_id}/types', key: true },
  createEntry: { method: 'POST', path: '/v1/content/{tenant_id}/types/{content_type_id}/entries', key: true },
  createForm: { method: 'POST', path: '/v1/forms/{tenant_id}', key: true },
  createKey: { method: 'POST', path: '/v1/keys/{tenant_id}' },
  createPreviewLink: { method: 'POST', path: '/v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/preview-links', key: true },
  createRole: { method: 'POST', path: '/v1/roles/{tenant_id}', key: true },
  createSession: { method: 'POST', path: '/v1/sessions' },
  createSignInLink: { method: 'POST', path: '/v1/keys/{tenant_id}/sign-in-links' },
  createWebhook: { method: 'POST', path: '/v1/webhooks/{tenant_id}', key: true },
  deleteContentType: { method: 'DELETE', path: '/v1/content/{tenant_id}/types/{content_type_id}', key: true },
  deleteEntry: { method: 'DELETE', path: '/v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}', key: true },
  deleteForm: { method: 'DELETE', path: '/v1/forms/{tenant_id}/{form_id}', key: true },
  deleteMedia: { method: 'DELETE', path: '/v1/media/{tenant_id}/{media_id}', key: true },
  deleteMyPasskey: { method: 'DELETE', path: '/v1/me/passkeys/{passkey_id}' },
  deletePresence: { method: 'DELETE', path: '/v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/presence', key: true },
  deleteRole: { method: 'DELETE', path: '/v1/roles/{tenant_id}/{role_id}', key: true },
  deleteSchedule: { method: 'DELETE', path: '/v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/schedule', key: true },
  deleteSubmission: { method: 'DELETE', path: '/v1/forms/{tenant_id}/{form_id}/submissions/{submission_id}', key: true },
  deleteSubmissions: { method: 'POST', path: '/v1/forms/{tenant_id}/{form_id}/submissions/delete', key: true },
  deleteWebhook: { method: 'DELETE', path: '/v1/webhooks/{tenant_id}/{webhook_id}', key: true },
  discardDraft: { method: 'DELETE', path: '/v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/draft', key: true },
  endCurrentSession: { method: 'DELETE', path: '/v1/sessions/current' },
  endMySession: { method: 'DELETE', path: '/v1/me/sessions/{session_id}' },
  endPreviewLinks: { method: 'DELETE', path: '/v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/preview-links', key: true },
  exportEntries: { method: 'GET', path: '/v1/content/{tenant_id}/types/{content_type_id}/entries/export', raw: 'body' },
  exportSubmissions: { method: 'GET', path: '/v1/forms/{tenant_id}/{form_id}/submissions/export', raw: 'body' },
  finishOidcSignIn: { method: 'GET', path: '/v1/oidc/{provider}/callback', raw: 'redirect' },
  finishPasswordReset: { method: 'POST', path: '/v1/password-resets/{token}' },
  followPreviewLink: { method: 'GET', path: '/v1/preview/{token}' },
  getChallenge: { method: 'GET', path: '/v1/forms/{tenant_id}/{form_id}/challenge' },
  getContentType: { method: 'GET', path: '/v1/content/{tenant_id}/types/{content_type_id}' },
  getContentTypeSchema: { method: 'GET', path: '/v1/content/{tenant_id}/types/{content_type_id}/schema.json', raw: 'body' },
  getContract: { method: 'GET', path: '/v1/contract/{tenant_id}/openapi.json' },
  getContractTypes: { method: 'GET', path: '/v1/contract/{tenant_id}/types.ts', raw: 'body' },
  getCurrentSession: { method: 'GET', path: '/v1/sessions/current' },
  getDraft: { method: 'GET', path: '/v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/draft' },
  getEntry: { method: 'GET', path: '/v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}' },
  getEntryByValue: { method: 'GET', path: '/v1/content/{tenant_id}/types/{content_type_id}/entries/by/{field}/{value}' },
  getEntryVersion: { method: 'GET', path: '/v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/versions/{version}' },
  getErasure: { method: 'GET', path: '/v1/forms/{tenant_id}/erasures/{erasure_id}' },
  getForm: { method: 'GET', path: '/v1/forms/{tenant_id}/{form_id}' },
  getFormStats: { method: 'GET', path: '/v1/forms/{tenant_id}/{form_id}/stats' },
  getInvitation: { method: 'GET', path: '/v1/invitations/{invitation_token}' },
  getInvitationPasskeyOptions: { method: 'POST', path: '/v1/invitations/{invitation_token}/options' },
  getLocales: { method: 'GET', path: '/v1/locales/{tenant_id}' },
  getMe: { method: 'GET', path: '/v1/me' },
  getMedia: { method: 'GET', path: '/v1/media/{tenant_id}/{media_id}' },
  getMediaFile: { method: 'GET', path: '/media/{tenant_id}/{file}', raw: 'body' },
  getMediaVariantUrl: { method: 'GET', path: '/v1/media/{tenant_id}/{media_id}/variant-url' },
  getMember: { method: 'GET', path: '/v1/users/{tenant_id}/{user_id}' },
  getMyPasskeyOptions: { method: 'POST', path: '/v1/me/passkeys/options' },
  getPresence: { method: 'GET', path: '/v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/presence' },
  getPurge: { method: 'GET', path: '/v1/locales/{tenant_id}/purges/{purge_id}' },
  getRole: { method: 'GET', path: '/v1/roles/{tenant_id}/{role_id}' },
  getSchedule: { method: 'GET', path: '/v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/schedule' },
  getSchema: { method: 'GET', path: '/v1/schema/{tenant_id}' },
  getSchemaChange: { method: 'GET', path: '/v1/content/{tenant_id}/changes/{change_id}' },
  getSignInPasskeyOptions: { method: 'POST', path: '/v1/sessions/options' },
  getSubmission: { method: 'GET', path: '/v1/forms/{tenant_id}/{form_id}/submissions/{submission_id}' },
  getSubmissionFile: { method: 'GET', path: '/v1/forms/{tenant_id}/{form_id}/submissions/{submission_id}/files/{file_id}', raw: 'body' },
  getUsage: { method: 'GET', path: '/v1/usage/{tenant_id}' },
  getUsageHistory: { method: 'GET', path: '/v1/usage/{tenant_id}/history' },
  getWebhook: { method: 'GET', path: '/v1/webhooks/{tenant_id}/{webhook_id}' },
  getWebhookStats: { method: 'GET', path: '/v1/webhooks/{tenant_id}/{webhook_id}/stats' },
  importEntries: { method: 'POST', path: '/v1/content/{tenant_id}/types/{content_type_id}/entries/import', type: 'application/x-ndjson', raw: 'body' },
  importSubmissions: { method: 'POST', path: '/v1/forms/{tenant_id}/{form_id}/submissions/import', type: 'application/x-ndjson', raw: 'body' },
  inviteMember: { method: 'POST', path: '/v1/users/{tenant_id}', key: true },
  listAuditRecords: { method: 'GET', path: '/v1/audit/{tenant_id}' },
  listContentTypes: { method: 'GET', path: '/v1/content/{tenant_id}/types' },
  listDeliveries: { method: 'GET', path: '/v1/webhooks/{tenant_id}/{webhook_id}/deliveries' },
  listDrafts: { method: 'GET', path: '/v1/content/{tenant_id}/drafts' },
  listEntries: { method: 'GET', path: '/v1/content/{tenant_id}/types/{content_type_id}/entries' },
  listEntryLocales: { method: 'GET', path: '/v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/locales' },
  listEntryVersions: { method: 'GET', path: '/v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/versions' },
  listEventTypes: { method: 'GET', path: '/v1/event-types' },
  listEvents: { method: 'GET', path: '/v1/events/{tenant_id}' },
  listForms: { method: 'GET', path: '/v1/forms/{tenant_id}' },
  listKeys: { method: 'GET', path: '/v1/keys/{tenant_id}' },
  listMails: { method: 'GET', path: '/v1/forms/{tenant_id}/{form_id}/submissions/{submission_id}/mails' },
  listMedia: { method: 'GET', path: '/v1/media/{tenant_id}' },
  listMediaUses: { method: 'GET', path: '/v1/media/{tenant_id}/{media_id}/usage' },
  listMembers: { method: 'GET', path: '/v1/users/{tenant_id}' },
  listMyPasskeys: { method: 'GET', path: '/v1/me/passkeys' },
  listMySessions: { method: 'GET', path: '/v1/me/sessions' },
  listReferrers: { method: 'GET', path: '/v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/referrers' },
  listRoles: { method: 'GET', path: '/v1/roles/{tenant_id}' },
  listSchedules: { method: 'GET', path: '/v1/content/{tenant_id}/schedule' },
  listSignInMethods: { method: 'GET', path: '/v1/sessions/methods' },
  listSubmissions: { method: 'GET', path: '/v1/forms/{tenant_id}/{form_id}/submissions' },
  listTypeLocales: { method: 'GET', path: '/v1/content/{tenant_id}/types/{content_type_id}/locales' },
  listWebhooks: { method: 'GET', path: '/v1/webhooks/{tenant_id}' },
  markSubmissionAsSpam: { method: 'POST', path: '/v1/forms/{tenant_id}/{form_id}/submissions/{submission_id}/mark-spam', key: true },
  planSchema: { method: 'POST', path: '/v1/schema/{tenant_id}/plan' },
  publishDraft: { method: 'POST', path: '/v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/draft/publish', key: true },
  purgeLocale: { method: 'DELETE', path: '/v1/locales/{tenant_id}/{code}', key: true },
  redeliverEvent: { method: 'POST', path: '/v1/webhooks/{tenant_id}/{webhook_id}/deliveries/{delivery_id}/redeliver', key: true },
  redeliverFailedEvents: { method: 'POST', path: '/v1/webhooks/{tenant_id}/{webhook_id}/redeliver', key: true },
  releaseSubmission: { method: 'POST', path: '/v1/forms/{tenant_id}/{form_id}/submissions/{submission_id}/release', key: true },
  removeMember: { method: 'DELETE', path: '/v1/users/{tenant_id}/{user_id}', key: true },
  replayEvents: { method: 'POST', path: '/v1/webhooks/{tenant_id}/{webhook_id}/replay', key: true },
  requestErasure: { method: 'POST', path: '/v1/forms/{tenant_id}/erasures', key: true },
  requestPasswordReset: { method: 'POST', path: '/v1/password-resets' },
  requestReview: { method: 'PUT', path: '/v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/draft/review', key: true },
  resendInvitation: { method: 'POST', path: '/v1/users/{tenant_id}/{user_id}/invite', key: true },
  restoreEntryVersion: { method: 'POST', path: '/v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/versions/{version}/restore', key: true },
  revokeKey: { method: 'DELETE', path: '/v1/keys/{tenant_id}/{key_id}', key: true },
  saveDraft: { method: 'PATCH', path: '/v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/draft', key: true },
  searchContent: { method: 'GET', path: '/v1/content/{tenant_id}/search' },
  setEntryLocale: { method: 'PUT', path: '/v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/locales/{code}', key: true },
  setLocales: { method: 'PUT', path: '/v1/locales/{tenant_id}', key: true },
  setPresence: { method: 'PUT', path: '/v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/presence', key: true },
  setSchedule: { method: 'PUT', path: '/v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/schedule', key: true },
  startOidcSignIn: { method: 'GET', path: '/v1/oidc/{provider}/start', raw: 'redirect' },
  submitForm: { method: 'POST', path: '/v1/forms/{tenant_id}/{form_id}/submissions', key: true },
  testWebhook: { method: 'POST', path: '/v1/webhooks/{tenant_id}/{webhook_id}/test', key: true },
  updateContentType: { method: 'PUT', path: '/v1/content/{tenant_id}/types/{content_type_id}', key: true },
  updateEntry: { method: 'PATCH', path: '/v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}', key: true },
  updateForm: { method: 'PATCH', path: '/v1/forms/{tenant_id}/{form_id}', key: true },
  updateMe: { method: 'PATCH', path: '/v1/me' },
  updateMedia: { method: 'PATCH', path: '/v1/media/{tenant_id}/{media_id}', key: true },
  updateMember: { method: 'PATCH', path: '/v1/users/{tenant_id}/{user_id}', key: true },
  updateRole: { method: 'PATCH', path: '/v1/roles/{tenant_id}/{role_id}', key: true },
  updateSubmission: { method: 'PATCH', path: '/v1/forms/{tenant_id}/{form_id}/submissions/{submission_id}', key: true },
  updateWebhook: { method: 'PATCH', path: '/v1/webhooks/{tenant_id}/{webhook_id}', key: true },
  uploadMedia: { method: 'POST', path: '/v1/media/{tenant_id}' },
  withdrawReview: { method: 'DELETE', path: '/v1/content/{tenant_id}/types/{content_type_id}/entries/{entry_id}/draft/review', key: true },
};
