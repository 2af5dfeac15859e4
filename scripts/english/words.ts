/** A word or phrase that readers outside the project do not understand, with plain words to use instead. */
interface BannedWord {
  name: string;
  pattern: RegExp;
  instead: string;
  /** True when the pattern counts only at the beginning of a code comment. */
  leading?: true;
}

function banned(name: string, pattern: RegExp, instead: string): BannedWord {
  return { name, pattern, instead };
}

/** The words that `npm run check` refuses. Terms of the field that contain such a word, for example "login wall", do not match. */
export const bannedWords: readonly BannedWord[] = [
  {
    name: 'leading What/Whoever/Whether',
    pattern: /^(?:what|whatever|whoever|whether)\b/gi,
    instead: 'a verb ("Returns …") or the subject of the sentence',
    leading: true,
  },
  banned('anew', /\banew\b/gi, '"again"'),
  banned('nobody', /\bnobody\b/gi, '"no one", or name the user'),
  banned('whoever', /\bwho(?:m)?(?:so)?ever\b/gi, '"anyone who", or name the user'),
  banned('of ours', /\bof ours\b/gi, '"internal", "on our side"'),
  banned('stands', /\bstands\b(?! for\b)|\bstand(?:s|ing)? in\b/gi, '"is", "replaces"'),
  banned('goes on', /\b(?:go|goes|went|going) on\b(?! (?:sale|to)\b)/gi, '"continue"'),
  banned('is none', /\b(?:is|are|was|were) none\b(?! of\b)/gi, '"does not exist", "is not a …"'),
  banned('given up', /\bgiv(?:e|es|en|ing) up\b|\bgave up\b/gi, '"stop trying", "cancel"'),
  banned('on its way', /\bon (?:its|the|their) way\b/gi, '"in progress"'),
  banned('room', /\brooms?\b/gi, '"layer", "module", "space"'),
  banned('door', /\bdoors?\b/gi, '"HTTP client", "HTTP server", "authentication"'),
  banned('wall', /(?<!login[ -])\bwalls?\b/gi, '"login wall", "block"'),
  banned('course', /(?<!\bof )\bcourses?\b/gi, '"history"'),
  banned('wish', /\bwish(?:es|ed)?\b/gi, '"request"'),
  banned('cutdown', /\bcutdowns?\b|\bcut-downs?\b|\bcanned\b|\bstand-ins?\b/gi, '"fixture", "fake"'),
  banned('check-news', /\bcheck[- ]news\b/gi, '"notifications"'),
  banned('archaic', /\b(?:lest|hence|thereof|therein|wherein|whence)\b/gi, 'a plain sentence'),
];

export interface Hit {
  word: BannedWord;
  /** The text that was found. */
  found: string;
}

/** Returns the banned words in a text. Code between backticks, links and file paths are ignored. */
export function hitsIn(text: string, { comment }: { comment: boolean }): Hit[] {
  const prose = text
    .replace(/`[^`\n]*`|\{@link [^}]*\}|\]\([^)]*\)/g, ' ')
    .replace(/(?:\.{0,2}\/)?[\w-]+\/[\w./-]+|\b[\w-]+\.(?:ts|mjs|js|md|json|html)\b/g, ' ')
    .trim();
  return bannedWords
    .filter(({ leading }) => comment || !leading)
    .flatMap((word) => [...prose.matchAll(word.pattern)].map(([found]) => ({ word, found })));
}
