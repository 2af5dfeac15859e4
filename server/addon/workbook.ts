import { repositoryFile } from '../docs/guides.ts';
import { dataMashup } from './mashup.ts';
import { zip } from './zip.ts';

/** Name of the Power Query query in the workbook, and of the Excel table that the query fills. */
const query = 'ProfileNumbers';
const template = 'clients/excel/profile-list.pq';
/** Power Query expression that reads the API key from the cell with the name `ApiKey`. */
const keyCell = 'Excel.CurrentWorkbook(){[Name = "ApiKey"]}[Content]{0}[Column1]';
const exampleUrls = [
  'https://www.instagram.com/nasa/',
  'https://www.tiktok.com/@nasa',
  'https://www.youtube.com/@NASA',
];

/**
 * Returns an Excel workbook for the server at `baseUrl`, with a table for profile links and a Power Query query that
 * fills the second sheet. The workbook contains the API key `key`. When `key` is empty, the user must enter one.
 */
export function excelWorkbook(baseUrl: string, key = ''): Buffer<ArrayBuffer> {
  const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  return zip({
    '[Content_Types].xml': contentTypes,
    '_rels/.rels': rels([`${relations}/officeDocument`, 'xl/workbook.xml']),
    'xl/workbook.xml': workbook,
    'xl/_rels/workbook.xml.rels': rels(
      [`${relations}/worksheet`, 'worksheets/sheet1.xml'],
      [`${relations}/worksheet`, 'worksheets/sheet2.xml'],
      [`${relations}/styles`, 'styles.xml'],
      [`${relations}/connections`, 'connections.xml'],
      [`${relations}/customXml`, '../customXml/item1.xml'],
    ),
    'xl/styles.xml': styles,
    'xl/connections.xml': connections,
    'xl/worksheets/sheet1.xml': profilesSheet(key),
    'xl/worksheets/_rels/sheet1.xml.rels': rels([`${relations}/table`, '../tables/table1.xml']),
    'xl/tables/table1.xml': table(1, 'Profiles', `A5:A${5 + exampleUrls.length}`, 'url', ''),
    'xl/worksheets/sheet2.xml': worksheet(
      [['url'], ['']],
      '<cols><col min="1" max="1" width="40" customWidth="1"/></cols>',
    ),
    'xl/worksheets/_rels/sheet2.xml.rels': rels([`${relations}/table`, '../tables/table2.xml']),
    'xl/tables/table2.xml': table(2, query, 'A1:A2', 'url', ' tableType="queryTable"'),
    'xl/tables/_rels/table2.xml.rels': rels([`${relations}/queryTable`, '../queryTables/queryTable1.xml']),
    'xl/queryTables/queryTable1.xml': queryTable,
    'customXml/item1.xml': dataMashup(query, formulaFor(baseUrl)),
    'customXml/_rels/item1.xml.rels': rels([`${relations}/customXmlProps`, 'itemProps1.xml']),
    'customXml/itemProps1.xml': mashupProperties,
  });
}

/**
 * Returns the query of the Excel template, with the URL of this server. The query reads its API key from a cell of the
 * workbook. Throws when the template has no line for the server or for the key.
 */
function formulaFor(baseUrl: string): string {
  const lines: [RegExp, string][] = [
    [/^ {4}Server = ".*",$/m, `    Server = ${JSON.stringify(new URL(baseUrl).href.replace(/\/+$/, ''))},`],
    [/^ {4}ApiKey = ".*",$/m, `    ApiKey = ${keyCell},`],
  ];
  let formula = repositoryFile(template)
    .replace(/^(?:\/\/.*\n)+/, '')
    .trim();
  for (const [line, replacement] of lines) {
    if (!line.test(formula))
      throw new Error(`No line of ${template} matches the pattern ${line}, so its value cannot be replaced.`);
    formula = formula.replace(line, () => replacement);
  }
  return formula;
}

const declared = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const spreadsheetml = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const documentType = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const partTypes: readonly (readonly [part: string, type: string])[] = [
  ['/xl/workbook.xml', `${documentType}.sheet.main+xml`],
  ['/xl/worksheets/sheet1.xml', `${documentType}.worksheet+xml`],
  ['/xl/worksheets/sheet2.xml', `${documentType}.worksheet+xml`],
  ['/xl/styles.xml', `${documentType}.styles+xml`],
  ['/xl/connections.xml', `${documentType}.connections+xml`],
  ['/xl/tables/table1.xml', `${documentType}.table+xml`],
  ['/xl/tables/table2.xml', `${documentType}.table+xml`],
  ['/xl/queryTables/queryTable1.xml', `${documentType}.queryTable+xml`],
  ['/customXml/itemProps1.xml', 'application/vnd.openxmlformats-officedocument.customXmlProperties+xml'],
];
const contentTypes = `${declared}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${partTypes.map(([part, type]) => `<Override PartName="${part}" ContentType="${type}"/>`).join('')}</Types>`;

function rels(...targets: [type: string, target: string][]): string {
  const list = targets.map(
    ([type, target], index) => `<Relationship Id="rId${index + 1}" Type="${type}" Target="${target}"/>`,
  );
  return `${declared}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list.join('')}</Relationships>`;
}

const workbook = `${declared}<workbook ${spreadsheetml} xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Profiles" sheetId="1" r:id="rId1"/><sheet name="Result" sheetId="2" r:id="rId2"/></sheets><definedNames><definedName name="ApiKey">Profiles!$B$2</definedName><definedName name="ExternalData_1" localSheetId="1" hidden="1">Result!$A$1:$A$2</definedName></definedNames></workbook>`;

/** Defines the cell formats of the workbook by index: 0 is plain, 1 is bold, 2 is text on a colored background. */
const styles = `${declared}<styleSheet ${spreadsheetml}><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FFFFF4CC"/></patternFill></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf/><xf fontId="1" applyFont="1"/><xf numFmtId="49" fillId="2" applyNumberFormat="1" applyFill="1"/></cellXfs></styleSheet>`;

const connections = `${declared}<connections ${spreadsheetml}><connection id="1" keepAlive="1" name="Query - ${query}" description="Connection to the '${query}' query in the workbook." type="5" refreshedVersion="7" background="1" saveData="1"><dbPr connection="Provider=Microsoft.Mashup.OleDb.1;Data Source=$Workbook$;Location=${query};Extended Properties=&quot;&quot;" command="SELECT * FROM [${query}]"/></connection></connections>`;

const queryTable = `${declared}<queryTable ${spreadsheetml} name="ExternalData_1" connectionId="1" autoFormatId="16" applyNumberFormats="0" applyBorderFormats="0" applyFontFormats="0" applyPatternFormats="0" applyAlignmentFormats="0" applyWidthHeightFormats="0"><queryTableRefresh nextId="2"><queryTableFields count="1"><queryTableField id="1" name="url" tableColumnId="1"/></queryTableFields></queryTableRefresh></queryTable>`;

const mashupProperties = `${declared}<ds:datastoreItem ds:itemID="{6B0B3A7E-6E0D-4F5B-9C0A-2F6C6C7D8E91}" xmlns:ds="http://schemas.openxmlformats.org/officeDocument/2006/customXml"><ds:schemaRefs><ds:schemaRef ds:uri="http://schemas.microsoft.com/DataMashup"/></ds:schemaRefs></ds:datastoreItem>`;

function table(id: number, name: string, area: string, column: string, kind: string): string {
  const field = kind === '' ? '' : ' uniqueName="1" queryTableFieldId="1"';
  return `${declared}<table ${spreadsheetml} id="${id}" name="${name}" displayName="${name}" ref="${area}"${kind} totalsRowShown="0"><autoFilter ref="${area}"/><tableColumns count="1"><tableColumn id="1"${field} name="${column}"/></tableColumns><tableStyleInfo name="TableStyleMedium7" showFirstColumn="0" showLastColumn="0" showRowStripes="1" showColumnStripes="0"/></table>`;
}

function profilesSheet(key: string): string {
  const columns =
    '<cols><col min="1" max="1" width="44" customWidth="1"/><col min="2" max="2" width="60" customWidth="1"/></cols>';
  const help =
    'Put profile links below, choose Data > Refresh All, and read the sheet Result. 1 credit for each new profile.';
  return worksheet(
    [['Tidemark'], ['Sheet key', key], [help], [], ['url'], ...exampleUrls.map((url) => [url])],
    columns,
  );
}

/**
 * Returns a worksheet of text cells with one table. Cell A1 is bold. Cell B2 has a colored background, because it is
 * for the API key.
 */
function worksheet(rows: readonly string[][], columns: string): string {
  const styleOf = (address: string) => ({ A1: ' s="1"', B2: ' s="2"' })[address] ?? '';
  const cells = rows.map((texts, row) => {
    const list = texts.map((text, column) => {
      const address = `${'AB'[column]}${row + 1}`;
      return `<c r="${address}"${styleOf(address)} t="inlineStr"><is><t>${escapeXml(text)}</t></is></c>`;
    });
    return `<row r="${row + 1}">${list.join('')}</row>`;
  });
  return `${declared}<worksheet ${spreadsheetml} xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">${columns}<sheetData>${cells.join('')}</sheetData><tableParts count="1"><tablePart r:id="rId1"/></tableParts></worksheet>`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
