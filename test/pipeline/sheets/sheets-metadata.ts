import { GridError, type Mark, type Tab } from './sheets-grid.ts';

/** Developer metadata of one row or column, as the Sheets API writes it. */
export interface Metadata {
  metadataKey: string;
  metadataValue: string;
  visibility: string;
  location: { dimensionRange: { sheetId: number; dimension: Mark['dimension']; startIndex: number; endIndex: number } };
}

export interface Lookup {
  developerMetadataLookup: { metadataKey: string };
}

/** Adds developer metadata, which Google accepts only for one row or one column that the tab has. */
export function addMetadata(tabs: readonly Tab[], { metadataKey, metadataValue, visibility, location }: Metadata) {
  const { sheetId, dimension, startIndex, endIndex } = location.dimensionRange;
  const tab = tabs.find(({ sheet_id }) => sheet_id === sheetId);
  if (!tab) throw new GridError(`No grid with id: ${sheetId}`);
  if (visibility !== 'PROJECT' && visibility !== 'DOCUMENT') throw new GridError('Developer metadata needs visibility');
  const size = dimension === 'ROWS' ? tab.rows : tab.columns;
  if (endIndex !== startIndex + 1 || endIndex > size) throw new GridError('Developer metadata needs one row or column');
  tab.marks.push({ key: metadataKey, value: metadataValue, dimension, index: startIndex });
  return { createDeveloperMetadata: {} };
}

export function deleteMetadata(tabs: readonly Tab[], { developerMetadataLookup }: Lookup) {
  for (const tab of tabs) tab.marks = tab.marks.filter(({ key }) => key !== developerMetadataLookup.metadataKey);
  return { deleteDeveloperMetadata: {} };
}

/** Returns the developer metadata that one of the filters selects, as `developerMetadata.search` does. */
export function metadataWith(tabs: readonly Tab[], { dataFilters }: { dataFilters: readonly Lookup[] }): object[] {
  const keys = dataFilters.map(({ developerMetadataLookup }) => developerMetadataLookup.metadataKey);
  const found = tabs.flatMap((tab) => tab.marks.map((mark) => ({ ...mark, tab })));
  return found
    .filter(({ key }) => keys.includes(key))
    .map(({ key, value, dimension, index, tab }) => {
      // Google leaves out the number 0.
      const range = {
        sheetId: tab.sheet_id || undefined,
        dimension,
        startIndex: index || undefined,
        endIndex: index + 1,
      };
      return { developerMetadata: { metadataKey: key, metadataValue: value, location: { dimensionRange: range } } };
    });
}
