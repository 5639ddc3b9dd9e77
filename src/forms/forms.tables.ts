import { Form } from './form.entity.js';
import { DeletedSubmissions, SubmissionWordMark, SubmissionWordsRow } from './inbox/submission-words.entity.js';
import { SubmissionFile } from './files/submission-file.entity.js';
import { Erasure } from './retention/erasure.entity.js';
import { ChallengeSolution } from './spam/challenge-solution.entity.js';
import { DigestSlot } from './spam/digest-slot.entity.js';
import { Submission, SubmissionCount, SubmissionValue } from './submissions/submission.entity.js';
import { Forms1763000002000 } from './migrations/1763000002000-forms.js';

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

export const migrations = [Forms1763000002000];
