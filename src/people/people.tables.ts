import { Member, Role } from './member.entity.js';
import { People1763000011000 } from './migrations/1763000011000-people.js';
import { Identity, KnownNetwork, OneTimeToken, Passkey, Person, PersonSession } from './person.entity.js';
import { ReviewMail } from './reviews/review-mail.entity.js';

export const entities = [
  Role,
  Member,
  Person,
  Passkey,
  Identity,
  KnownNetwork,
  PersonSession,
  OneTimeToken,
  ReviewMail,
];

export const migrations = [People1763000011000];
