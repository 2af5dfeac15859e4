import { expect, test } from 'vitest';
import { readCell } from '../../../addon/cells/cell-text.ts';
import { isHeading } from '../../../addon/cells/not-links.ts';
import { goodKey, people, setKey, setUpAddon } from '../spreadsheet-setup.ts';

const setup = setUpAddon();
const [ada = '', ben = ''] = Object.keys(people);
const instagram = 'https://www.instagram.com/ada/';

/** Opens a file with a key. The fake API knows a person for every text, so that it would charge each one. */
async function openWithTexts(...texts: (string | number | boolean)[]) {
  const known = Object.fromEntries(texts.map((text) => [String(text), { platform: 'photo', followers: 7 }]));
  await setup.api.begin({ keys: [goodKey], people: { ...people, ...known } });
  const file = await setup.open();
  setKey(file);
  file.type('A1', ...texts);
  return file;
}

async function sentUrls(): Promise<string[]> {
  return (await setup.api.log()).requests.flatMap(({ parameters }) => parameters.url ?? []);
}

test('a heading, a date, a checkbox, an error and a placeholder each get a message in their own row and are not bought', async () => {
  const file = await openWithTexts('Instagram handle', '@nasa', 45_000, true, '#N/A', 'TBD', 'nasa');
  file.format('A3', 'yyyy-mm-dd');
  const date = new Date(0);
  const column = [['Instagram handle'], ['@nasa'], [date], [true], ['#N/A'], ['TBD'], ['nasa']];
  expect(file.cell('SOCIAL_PROFILE', [column, 'followers,message', '1d', 'instagram'])).toEqual([
    ['INVALID_INPUT', '', 'This cell contains a heading, not a link or handle. Begin the range one row below it.'],
    ['OK', 7, ''],
    ['INVALID_INPUT', '', 'This cell contains a date, not a link or handle.'],
    ['INVALID_INPUT', '', 'This cell contains a checkbox, not a link or handle.'],
    ['INVALID_INPUT', '', 'This cell contains an error, not a link or handle.'],
    ['INVALID_INPUT', '', 'This cell contains a placeholder, not a link or handle. If “TBD” is a handle, write @TBD.'],
    ['OK', 7, ''],
  ]);
  expect(await sentUrls()).toEqual(['@nasa', 'nasa']);
});

test('a column of one platform lets @handles count as handles of it, but no other word', async () => {
  const file = await openWithTexts(instagram, '@nasa', 'Total', 'nasa');
  expect(file.cell('SOCIAL_PROFILE', [[[instagram], ['@nasa'], ['Total'], ['nasa']], 'followers'])).toEqual([
    ['OK', 7],
    ['OK (as instagram)', 7],
    ['INVALID_INPUT', ''],
    ['INVALID_INPUT', ''],
  ]);
  file.select('A1:A4');
  file.run('sidebarEstimate', ['1d', { sheet: 'Sheet1', a1: 'A1:A4' }]);
  const handles = (await setup.api.log()).requests.filter(({ parameters }) => parameters.platform?.[0] === 'photo');
  expect(handles.map(({ parameters }) => parameters.url)).toEqual([['@nasa'], ['@nasa']]);
});

test('formulas that are dragged down never buy a placeholder of another row', async () => {
  const file = await openWithTexts('@nasa', 'none', true, '@esa');
  for (const row of [1, 2, 3, 4]) file.type(`B${row}`, `=SOCIAL_FOLLOWERS(A${row}, "instagram")`);
  expect(file.values('B1:B4').flat()).toEqual([7, '#ERROR!', '#ERROR!', 7]);
  file.reopen();
  expect(new Set(await sentUrls())).toEqual(new Set(['@nasa', '@esa']));
});

test('SOCIAL_POSTS and SOCIAL_TRACKED give a heading and a date in their range a row, and fill the other rows', async () => {
  const file = await openWithTexts('Profile', ada, ben);
  await setup.api.begin({
    ...{ keys: [goodKey], posts: { [ada]: [{ caption: 'Loom' }], Profile: [{ caption: 'A stranger' }] } },
    observations: { [ada]: [{ item_id: '1', status: 'OK', metric: 'followers', value: 3 }] },
  });
  const range = [['Profile'], [ada], [new Date(0)]];
  expect(file.cell('SOCIAL_POSTS', [range, 1, 'caption', '1d', 'instagram'])).toEqual([
    ['OK', 'Loom'],
    ['INVALID_INPUT', ''],
    ['INVALID_INPUT', ''],
  ]);
  const tracked = file.cell('SOCIAL_TRACKED', [range]) as unknown[][];
  expect(tracked.map(([status]) => status)).toEqual(['status', 'INVALID_INPUT', 'INVALID_INPUT', 'OK']);
});

test('the sidebar leaves a heading at the top of the selected cells out of the range, the count and the cost', async () => {
  const file = await openWithTexts('Profile link', ada, 'n/a', ben);
  file.select('A1:A4');
  expect(file.run('sidebarSelection', [])).toMatchObject({ a1: 'A2:A4', urls: 2, blank: 0, first: ada });
  expect(file.run('sidebarEstimate', ['1d', { sheet: 'Sheet1', a1: 'A1:A4' }])).toMatchObject({ rows: 2 });
  file.run('sidebarAllowFormulas', [true]);
  file.run('sidebarFirstRows', [{ sheet: 'Sheet1', a1: 'A1:A4' }]);
  expect(file.sheet().B2?.formula).toContain('(A2:A4;');
  expect(file.values('B2:B4').flat()).toEqual(['OK', 'INVALID_INPUT', 'OK']);
});

test.each([
  ...['Perfil', 'Usuario', 'Nombre de usuario', 'Enlace del perfil', 'CUENTA', 'Canales', 'Publicación'],
  ...['Benutzername', 'Nutzer', 'Konto', 'Profile', 'Link zum Profil', 'Kanäle', 'Beiträge'],
  ...['Compte', 'Nom d’utilisateur', 'Lien du profil', 'Chaîne', 'Pseudo'],
  ...['Conta', 'Usuário', 'Link do perfil', 'Publicações', 'Nome utente', 'Profilo', 'Canale', 'Collegamento'],
  ...['Gebruikersnaam', 'Profiel', 'Kanaal', 'Nazwa użytkownika', 'Kanał', 'Konto'],
  ...['Kullanıcı adı', 'KULLANICI ADI', 'Hesap', 'Bağlantı', 'Nama pengguna', 'Akun', 'Tautan profil'],
  ...['ユーザー名', 'アカウント', 'プロフィールリンク', 'チャンネル', '投稿'],
])('the text %s at the top of a column is a heading', (text) => {
  expect(isHeading(text)).toBe(true);
});

test.each([
  ...['n/d', 'N.D.', 's/d', 'k.A.', 'k. A.', 'n.v.t.', 'n.c.', 'ー', '―', '…'],
  ...['ninguno', 'Desconocido', 'sin datos', 'keine', 'Unbekannt', 'keine Angabe', 'aucun', 'Inconnu', 'à définir'],
  ...['nenhum', 'não disponível', 'Nessuno', 'da definire', 'geen', 'onbekend', 'brak', 'nie dotyczy', 'yok'],
  ...['tidak ada', 'kosong', 'なし', '不明', '未定', '該当なし'],
])('the text %s is a placeholder', (text) => {
  expect(readCell(text).fault).toBe('a placeholder');
});

test.each(['elcanal', 'de', 'nada', 'nd', 'ka', 'perfilada', 'contador', 'yoko', 'usuarios.unidos', 'なしこ'])(
  'the text %s may be a handle, so it is neither a heading nor a placeholder',
  (text) => {
    expect([isHeading(text), readCell(text).fault]).toEqual([false, null]);
  },
);

test('a heading and placeholders of a sheet in another language are not bought as handles, and an @ makes them handles', async () => {
  const file = await openWithTexts('Perfil', 'nasa', 'なし', '@brak');
  const column = [['Perfil'], ['nasa'], ['なし'], ['@brak']];
  expect(file.cell('SOCIAL_PROFILE', [column, 'followers,message', '1d', 'youtube'])).toEqual([
    [
      'INVALID_INPUT',
      '',
      'This cell contains a heading, not a link or handle. Begin the range one row below it. If “Perfil” is a handle, write @Perfil.',
    ],
    ['OK', 7, ''],
    [
      'INVALID_INPUT',
      '',
      'This cell contains a placeholder, not a link or handle. If “なし” is a handle, write @なし.',
    ],
    ['OK', 7, ''],
  ]);
  expect(await sentUrls()).toEqual(['nasa', '@brak']);
});

test('the sidebar says that rows hidden by a filter are included in a formula', async () => {
  const file = await openWithTexts('Profile link', ada, ben);
  file.select('A1:A3');
  expect(file.run('sidebarSelection', [])).toMatchObject({ urls: 2, filtered: false });
  file.hideRow(3, 'filter');
  expect(file.run('sidebarSelection', [])).toMatchObject({ urls: 2, filtered: true });
});

test('a selection of more than 1,000 profiles is refused with the advice to make an import', async () => {
  const file = await openWithTexts(ada);
  file.resize(1_200);
  file.type('A1', ...Array.from({ length: 1_001 }, (_, index) => `https://photo.example/p${index}`));
  file.select('A1:A1001');
  expect(file.run('sidebarSelection', [])).toMatchObject({
    ok: false,
    message:
      '1,001 profiles are selected; the limit is 1,000. Select fewer rows, or make an import, which can have more.',
  });
});
