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

/**
 * The words that `npm run check` refuses. Terms of the field that contain such a word, for example "login wall", do not
 * match.
 */
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
  banned('monthly limit', /\b(?:monthly|spending) limits?\b/gi, '"monthly cap"'),
  banned('stored answer', /\b(?:stored|saved) answers?\b/gi, '"cached answer"'),
  banned(
    'British spelling',
    /\b(?:re)?colour(?:s|ed|ing)?\b|\bgrey\b|\bbehaviours?\b|\blicences?\b|\b(?:recogn|normal|organ|initial|summar|author)is(?:es?|ed|ing|ations?)\b/gi,
    'American spelling, such as "color", "gray", "recognize"',
  ),
  banned(
    'also for "even"',
    /[,;]\s+also (?:when|while|if|after|before|with|without|for|of|in|from|by)\b/gi,
    '"even when …", "including …"',
  ),
  banned('look-up', /\blook-ups?\b/gi, '"lookup"'),
  banned('archaic', /\b(?:lest|hence|thereof|therein|wherein|whence)\b/gi, 'a plain sentence'),
];

/**
 * Words that names of variables, functions, types, properties and files must not contain, because their meaning there
 * is unclear.
 */
const bannedParts: readonly BannedWord[] = [
  banned('words', /^words$/i, '"labels", "text", "names", "args"'),
  banned('place', /^(?:places?|placed)$/i, '"position", "cell", "range", "index"'),
  banned('given', /^given$/i, '"input", "requested", "submitted"'),
  banned('asked', /^asked$/i, '"requested", "params"'),
  banned('gone', /^gone$/i, '"deleted", "missing", "expired"'),
  banned('priced', /^priced$/i, '"cost", "charged"'),
  banned('hot', /^hot$/i, '"pipelined"'),
  banned('fit', /^fit(?:s|ted|ting)?$/i, '"is valid", "is enough", "matches"'),
  banned('settle', /^settle[sd]?$/i, '"charge", "complete"'),
  banned('gate', /^gates?$/i, '"authentication", "limit"'),
  banned('told', /^told$/i, '"message", "notified"'),
  banned('front', /^front$/i, '"landing", "first"'),
];

/** Names that may contain a banned word. Each has its reason. */
const allowedNames: readonly { names: RegExp; files: RegExp; reason: string }[] = [
  { names: /^allSettled$/, files: /./, reason: 'the method of Promise' },
  { names: /^httpGone$/, files: /./, reason: 'the HTTP status 410 Gone' },
  {
    names: /^given$/,
    files: /field-counts\.ts$|count-fields\.ts$|field-accuracy\.ts$|sources\/coverage\.ts$/,
    reason: 'the column of the table field_counts',
  },
  {
    names: /^asked$/,
    files: /^addon\/(?:platform\/choices|sidebar\/home\/)/,
    reason: 'a key in the stored choices of users',
  },
  {
    names: /words$/i,
    files: /english|^server\/docs\/search\.ts$/,
    reason: 'words of a language, in a text or a query',
  },
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

/**
 * Returns the banned words in the name of a variable, function, type, property or file. `file` is the path of the file.
 */
export function hitsInName(name: string, file: string): Hit[] {
  const banned = bannedPartsOf(name);
  if (banned.length === 0) return [];
  if (allowedNames.some(({ names, files }) => names.test(name) && files.test(file))) return [];
  return banned.map((word) => ({ word, found: name }));
}

/** The banned words of each name, because most names occur many times. */
const knownNames = new Map<string, readonly BannedWord[]>();

function bannedPartsOf(name: string): readonly BannedWord[] {
  const known = knownNames.get(name);
  if (known) return known;
  const parts = name.split(/[^\p{L}]+|(?<=\p{Ll})(?=\p{Lu})/u);
  const banned = bannedParts.filter(({ pattern }) => parts.some((part) => pattern.test(part)));
  knownNames.set(name, banned);
  return banned;
}
