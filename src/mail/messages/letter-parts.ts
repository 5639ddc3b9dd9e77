import { firstCodePoints, shorten } from '../../fields/formats/text.js';
import type { Letter } from '../letters/letter.js';
import { harmless } from './autoresponse.js';
import { linesOf, oneLine } from './mail-text.js';
import { lastingUntil } from './mail-time.js';

const MAX_NAME = 100;
const MAX_NOTE = 2_000;
/** Mail programs would make a link of it. */
const LIKE_LINK = /[\p{L}\p{N}][.。．｡]\p{L}{2}|:\/\//u;
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
/** Isolate what is between them, so that it does not change the order of the sentence. */
const [FIRST_STRONG_ISOLATE, POP_ISOLATE] = ['\u2068', '\u2069'];

/** What both forms of a letter, text and HTML, show. Each text is plain, and one line. */
export interface LetterParts {
  title: string;
  /** What mail programs show beside the subject. */
  preheader: string;
  paragraphs: readonly string[];
  /** The lines of what somebody wrote. */
  quote?: readonly string[];
  button: string;
  url: string;
  /** The paragraphs after the link. */
  after: readonly string[];
  footer: string;
}

/** Decides what a letter says. `writtenAt` is ISO 8601. */
export function letterParts(letter: Letter, writtenAt: string): LetterParts {
  const { url } = letter;
  switch (letter.kind) {
    case 'invitation': {
      const tenant = nameOf(letter.tenant);
      const valid = `The link is valid for ${lastingUntil(writtenAt, letter.expiresAt)}, and works once.`;
      return {
        title: letter.inviter
          ? `${strangersName(letter.inviter)} invites you to ${tenant}`
          : `You are invited to ${tenant}`,
        preheader: 'Sign in with this email address, or create an account for it.',
        paragraphs: [
          `Accept the invitation to work in ${tenant}. You sign in with this email address, or create an account for it.`,
        ],
        button: 'Accept the invitation',
        url,
        after: [valid],
        footer: 'If you did not expect this invitation, ignore this email. Without the link, nobody can accept it.',
      };
    }
    case 'reset': {
      const valid = `The link is valid for ${lastingUntil(writtenAt, letter.expiresAt)}, and works once.`;
      return {
        title: 'Choose a new password',
        preheader: 'Somebody asked for a new password for your account.',
        paragraphs: ['Somebody asked for a new password for your account. If it was you, choose one now.'],
        button: 'Choose a new password',
        url,
        after: [valid],
        footer: 'If it was not you, ignore this email: nothing changes without the link.',
      };
    }
    case 'review': {
      const [by, tenant, title] = [nameOf(letter.by), nameOf(letter.tenant), nameOf(letter.title)];
      const note = letter.note?.trim();
      return {
        title: `Review requested: ${title}`,
        preheader: `${by} asks for a review in ${tenant}.`,
        paragraphs: [
          `${by} asks for a review of “${title}” (${nameOf(letter.contentType)}) in ${tenant}${note ? ':' : '.'}`,
        ],
        ...(note && { quote: linesOf(shorten(note, MAX_NOTE)) }),
        button: 'Open the entry',
        url,
        after: [],
        footer: `You receive this email because you asked for emails about reviews in ${tenant}. You can end them in your account.`,
      };
    }
  }
}

function nameOf(name: string): string {
  return isolated(shorten(oneLine(name), MAX_NAME));
}

/** The reader may not know who chose the name. No email program finds a link in it. */
function strangersName(name: string): string {
  return isolated(LIKE_LINK.test(name) ? harmless(name) : firstCodePoints(oneLine(name), MAX_NAME));
}

function isolated(name: string): string {
  return RIGHT_TO_LEFT.test(name) ? `${FIRST_STRONG_ISOLATE}${name}${POP_ISOLATE}` : name;
}
