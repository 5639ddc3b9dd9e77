import { Form } from './form.entity.js';
import { DeletedSubmissions, SubmissionWordMark, SubmissionWordsRow } from './inbox/submission-words.entity.js';
import { AddressSpellings1763000161200 } from './migrations/1763000161200-address-spellings.js';
import { ChangingForms1763000120000 } from './migrations/1763000120000-changing-forms.js';
import { DigestSlots1763000151000 } from './migrations/1763000151000-digest-slots.js';
import { Erasures1763000124200 } from './migrations/1763000124200-erasures.js';
import { SubmissionFile } from './files/submission-file.entity.js';
import { SubmissionFiles1763000140100 } from './migrations/1763000140100-submission-files.js';
import { Erasure } from './retention/erasure.entity.js';
import { Inbox1763000123000 } from './migrations/1763000123000-inbox.js';
import { SubmissionStates1763000152000 } from './migrations/1763000152000-submission-states.js';
import { SubmissionValuesOf1763000152100 } from './migrations/1763000152100-submission-values-of.js';
import { SubmissionWordsList1763000151100 } from './migrations/1763000151100-submission-words-list.js';
import { UnstoredSubmissions1763000141000 } from './migrations/1763000141000-unstored-submissions.js';
import { SubmissionGuards1763000161100 } from './migrations/1763000161100-submission-guards.js';
import { Spam1763000122000 } from './migrations/1763000122000-spam.js';
import { ChallengeSolution, DigestSlot } from './spam/spam.entity.js';
import { Submission, SubmissionCount, SubmissionValue } from './submissions/submission.entity.js';

export const entities = [
  Form,
  Submission,
  SubmissionCount,
  SubmissionValue,
  SubmissionWordsRow,
  SubmissionWordMark,
  DeletedSubmissions,
  ChallengeSolution,
  DigestSlot,
  Erasure,
  SubmissionFile,
];

export const migrations = [
  ChangingForms1763000120000,
  Spam1763000122000,
  Inbox1763000123000,
  Erasures1763000124200,
  SubmissionFiles1763000140100,
  UnstoredSubmissions1763000141000,
  DigestSlots1763000151000,
  SubmissionWordsList1763000151100,
  SubmissionStates1763000152000,
  SubmissionValuesOf1763000152100,
  SubmissionGuards1763000161100,
  AddressSpellings1763000161200,
];
