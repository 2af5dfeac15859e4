import { describe, expect, test } from 'vitest';
import { checkFile } from '../../scripts/english/check-file.ts';
import { joinComments, passagesOf } from '../../scripts/english/scan.ts';
import { bannedWords } from '../../scripts/english/words.ts';

const wordsIn = (source: string, file = 'server/invented.ts') =>
  checkFile(file, source).found.map(({ line, word }) => `${line} ${word.name}`);

describe('the English check', () => {
  test('the English check finds a banned word in a comment, a string and a template, with its line', () => {
    const source = `// fine\n/** Fetches it anew. */\nconst a = 'nobody';\nconst b = \`\${a} of ours \${'goes on'} door\`;\n`;
    expect(wordsIn(source)).toEqual(['2 anew', '3 nobody', '4 of ours', '4 goes on', '4 door']);
  });

  test('the English check refuses comments that begin with What, Whoever or Whether, but not other comments with these words', () => {
    expect(wordsIn('/** What a visitor sees. */')).toEqual(['1 leading What/Whoever/Whether']);
    expect(wordsIn('// Shows\n// what a visitor sees.')).toEqual([]);
    expect(wordsIn("const a = 'What is this?';")).toEqual([]);
  });

  test('the English check reads neither identifiers, imports, paths nor regular expressions', () => {
    const source = [
      "import { door } from './door.ts';",
      'const room = wall / door; const pattern = /door"\'`/g; // see pipeline/network/http-client.ts and `door`',
      'if (/[/]door/.test(room)) room();',
    ].join('\n');
    expect(wordsIn(source)).toEqual([]);
  });

  test('the English check refuses some words in names of variables, types, properties and files, but not in strings', () => {
    const source = [
      "const periodWords = { sourcePlace: 'given' };",
      'type PlacedTable = x.gone;',
      `const { is_asked } = \`told \${fitsHere}\`;`,
    ].join('\n');
    const found = ['1 words', '1 place', '2 place', '2 gone', '3 asked', '3 fit'];
    expect(wordsIn(source)).toEqual(found);
    expect(wordsIn(source, 'test/invented.test.ts')).toEqual([]);
    expect(wordsIn('', 'addon/report-sheet/words.ts')).toEqual(['1 words']);
    expect(wordsIn('', 'docs/front-page.md')).toEqual(['1 front']);
  });

  test('the English check accepts standard terms that contain a word which names must not contain', () => {
    const names = 'placeholder replaceAll marketplace passwords keywords allSettled httpGone hotkey isOutfit aggregate';
    expect(wordsIn(names)).toEqual([]);
    expect(wordsIn('sum(row.given);', 'db/requests/field-counts.ts')).toEqual([]);
    expect(wordsIn('sum(row.given);', 'db/requests/health.ts')).toEqual(['1 given']);
  });

  test('the English check allows the terms of the field that contain a banned word', () => {
    expect(
      wordsIn('// A login wall. LoginWallError, of course; x stands for y; none of these is none of those.'),
    ).toEqual([]);
  });

  test('the English check refuses "also" in the sense of "even", but not in the sense of "in addition"', () => {
    const source = "const a = 'It works once, also when it is sent twice.';\n// It also works when it is sent twice.";
    expect(wordsIn(source)).toEqual(['1 also for "even"']);
  });

  test('the English check refuses a second name for the monthly cap and for cached answers', () => {
    const source =
      '// A monthly limit.\n\n// The spending limits.\n\n// A stored answer. A rate limit, stored observations.';
    expect(wordsIn(source)).toEqual(['1 monthly limit', '3 monthly limit', '5 stored answer']);
    expect(wordsIn("const a = '<p>Saved answers are free</p>';")).toEqual(['1 stored answer']);
  });

  test('the English check reads Markdown outside of code blocks and quoted code', () => {
    const source = 'A `door`.\n\n```sh\ndoor\n```\n\nA [wall](wall.md) here.\n';
    expect(wordsIn(source, 'docs/invented.md')).toEqual(['7 wall']);
  });

  test('the English check reads comments and names of tests in tests, and no test data', () => {
    const source =
      "// a door\ntest('opens the door', () => text('door'));\ntest.each([['door']])('%s anew', () => {});\n";
    expect(wordsIn(source, 'test/invented.test.ts')).toEqual(['1 door', '2 door', '3 anew']);
  });

  test('the English check counts a block of line comments as one comment', () => {
    const passages = joinComments(passagesOf('// one\n// two\nconst a = 1; // three\n'));
    expect(passages.map(({ text }) => text)).toEqual(['one\ntwo', 'three']);
    expect(checkFile('db/a.ts', '// a door\n// a wall\n')).toMatchObject({ comments: 1, badComments: 1 });
  });

  test('the English check suggests words for each banned word that are not banned themselves', () => {
    for (const { instead } of bannedWords) {
      expect(wordsIn(`// Use ${instead}`), instead).toEqual([]);
    }
  });
});
