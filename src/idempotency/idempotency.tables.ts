import { KeptAnswer } from './kept-answer.entity.js';
import { KeptAnswers1763000106000 } from './migrations/1763000106000-kept-answers.js';
import { AnswersAboutResources1763000124100 } from './migrations/1763000124100-answers-about-resources.js';

export const entities = [KeptAnswer];

export const migrations = [KeptAnswers1763000106000, AnswersAboutResources1763000124100];
