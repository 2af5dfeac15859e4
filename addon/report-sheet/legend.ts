/** Explains the values of the quality columns and empty cells. */
export const qualityLegend: string[][] = [
  ['exact', 'The platform shows the exact number.'],
  ['rounded', 'The platform rounds the number, so small changes are not visible.'],
  ['hidden', 'The account hides the number. The cell is empty, which does not mean 0.'],
  ['not_exposed', 'The platform does not show the number. The cell is empty, which does not mean 0.'],
  ['(empty)', 'The number is unknown. Only a 0 means zero.'],
  ['(empty in a series)', 'Some items of the total have no number for that day or week, so the line has a gap.'],
];
