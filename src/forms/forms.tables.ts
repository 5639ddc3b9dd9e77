import { Form } from './form.entity.js';
import { Submission, SubmissionCount, SubmissionValue } from './submission.entity.js';

export const entities = [Form, Submission, SubmissionCount, SubmissionValue];

export const migrations = [];
