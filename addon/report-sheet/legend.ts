/** The words of the quality columns, and what an empty cell says. */
export const qualityLegend: string[][] = [
  ['exact', 'The source gives the count to the last digit.'],
  ['rounded', 'The source rounds the count, so that a small change does not show.'],
  ['hidden', 'The account hides the count: the cell is empty, which is not 0.'],
  ['not_exposed', 'The source does not give the count: the cell is empty, which is not 0.'],
  ['(empty)', 'Nothing was observed. An empty cell is unknown; a 0 is a counted 0.'],
  ['(empty in a series)', 'Not every item of the total was observed on that day or in that week: the line has a gap.'],
];
