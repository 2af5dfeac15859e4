// This file must not import anything, because `npm run docs` copies the file into the Google Sheets add-on.

/**
 * Texts that people write into a column of links or handles, and that are bought as handles only with an @. They are
 * English, Spanish, German, French, Portuguese, Italian, Dutch, Polish, Turkish, Indonesian and Japanese, in lower case
 * and without accents.
 *
 * `headings`: parts of a heading, which may follow each other. `connectors`: texts between these parts. `placeholders`:
 * texts that say that there is no link.
 */
const notLinks = {
  headings: [
    ...['account', 'channel', 'creator', 'handle', 'id', 'influencer', 'instagram', 'link', 'media', 'name', 'page'],
    ...['post', 'profile', 'social', 'tiktok', 'url', 'user', 'username', 'video', 'youtube'],
    ...['canal', 'creador', 'cuenta', 'enlace', 'nombre', 'pagina', 'perfil', 'publicacion', 'usuario'],
    ...['beitrag', 'beitrage', 'benutzer', 'kanal', 'kanale', 'konto', 'konten', 'nutzer', 'profil', 'seite'],
    ...['chaine', 'compte', 'createur', 'identifiant', 'lien', 'nom', 'pseudo', 'publication', 'utilisateur'],
    ...['conta', 'criador', 'nome', 'publicacao', 'publicacoes', 'utilizador'],
    ...['canale', 'collegamento', 'profilo', 'utente', 'gebruiker', 'kanaal', 'naam', 'profiel'],
    ...['nazwa', 'uzytkownik', 'uzytkownika', 'baglanti', 'hesap', 'hesap adi', 'kullanici', 'kullanici adi'],
    ...['akun', 'nama', 'pengguna', 'saluran', 'tautan'],
    ...[
      'アカウント',
      'インスタグラム',
      'チャンネル',
      'プロフィール',
      'ユーザー',
      'リンク',
      '動画',
      '名',
      '名前',
      '投稿',
    ],
  ],
  connectors: ['da', 'de', 'del', 'der', 'des', 'di', 'do', 'du', 'of', 'the', 'van', 'zum'],
  placeholders: [
    ...['missing', 'nil', 'no', 'none', 'null', 'tba', 'tbc', 'tbd', 'unknown', 'x'],
    ...['desconocido', 'ninguna', 'ninguno', 'no aplica', 'no disponible', 'pendiente', 'por definir', 'sin datos'],
    ...['fehlt', 'kein', 'keine', 'keine angabe', 'nicht vorhanden', 'unbekannt'],
    ...['a definir', 'aucun', 'aucune', 'inconnu', 'neant', 'non disponible'],
    ...['desconhecido', 'nao disponivel', 'nenhum', 'nenhuma', 'pendente', 'sem dados'],
    ...['da definire', 'nessuna', 'nessuno', 'non disponibile', 'sconosciuto', 'geen', 'onbekend'],
    ...['brak', 'nie dotyczy', 'nieznany', 'bilinmiyor', 'yok', 'belum ada', 'kosong', 'tidak ada'],
    ...['なし', '不明', '未定', '未設定', '無', '無し', '該当なし'],
  ],
};
/** Matches a text without words that says that there is no link, such as "–", "n/a", "k.A." or "n.v.t.". */
const sign = /^(?:[-–—―−ー…?.]+|na|(?:n[/.] ?[abcdv]|[bs][/.] ?d|k[/.] ?a|n\. ?v\. ?t)\.?)$/;
/** Maximum characters of a heading. The pattern for headings would need too much time for a very long text. */
const maxHeadingCharacters = 60;
const placeholders = new Set(notLinks.placeholders.map(plain));
const heading = new RegExp(
  `^(?:(?:(?:${notLinks.connectors.join('|')})\\s+|d['’])*(?:${notLinks.headings.map(plain).join('|')})(?:e?s)?[\\s_:/-]*)+$`,
);

/** Returns a text in lower case and without accents. Two letters that Unicode does not decompose are replaced too. */
function plain(text: string): string {
  const decomposed = text.normalize('NFD').replace(/\p{M}/gu, '');
  return decomposed.toLowerCase().replace(/\p{M}/gu, '').replace(/ı/g, 'i').replace(/ł/g, 'l');
}

/**
 * Returns true for a text that people write above a column of links or handles, such as "Profile link", "Usuario" or
 * "Instagram".
 */
export function isHeading(text: string): boolean {
  return text.length <= maxHeadingCharacters && heading.test(plain(text));
}

/** Returns true for a text that people write into a cell without a link, such as "TBD", "k.A." or "ninguno". */
export function isPlaceholder(text: string): boolean {
  const compared = plain(text);
  return sign.test(compared) || placeholders.has(compared);
}
