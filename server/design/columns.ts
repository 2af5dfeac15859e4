import { raw } from 'hono/html';

/**
 * Says what a column of a table contains, and how much space its cells take on a phone, where each row is a card. Each
 * of these words is also the CSS class of the column's cells (see `style/tables.css`).
 */
export interface ColumnKind {
  /** True for the column that names its row. On a phone, the name is the heading of the card. */
  title?: boolean;
  /** True for a column of numbers, which are aligned to the right. */
  number?: boolean;
  /** True for a column of times. A line never breaks within a time. */
  time?: boolean;
  /** True for a column of buttons and menus. On a phone, they have no label and take a whole line. */
  controls?: boolean;
  /** True for a column of short links or a check box. On a phone, they are in the upper right corner of the card. */
  corner?: boolean;
  /** True for a column that only illustrates another one. Such a column is hidden on a phone. */
  illustration?: boolean;
  /** True for a column that only illustrates another one. Such a column is hidden on screens of medium width. */
  extra?: boolean;
  /** True for a column of long texts, which take a whole line of the card. The default is a third of a line. */
  long?: boolean;
  /** True for a column of texts that take two thirds of a line of the card. */
  wide?: boolean;
  /** True for a column of numbers that count the rows. On a phone, the number is on one line with its label. */
  position?: boolean;
}

const names: readonly (keyof ColumnKind)[] = [
  'title',
  'number',
  'time',
  'controls',
  'corner',
  'illustration',
  'extra',
  'long',
  'wide',
  'position',
];

/** Returns the class attribute of the cells of a column, with the space before it. */
export function columnClass(column: ColumnKind | undefined) {
  const classes = names.filter((name) => column?.[name]);
  return raw(classes.length > 0 ? ` class="${classes.join(' ')}"` : '');
}
