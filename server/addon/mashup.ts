import { zip } from './zip.ts';

const schemas = 'xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
const declared = '<?xml version="1.0" encoding="utf-8"?>';

/**
 * Returns the part of an Excel workbook that holds one Power Query query, as XML in UTF-16 ([MS-QDEFF], Query
 * Definition File Format). The part contains a ZIP archive with the query, the permissions, and metadata that names the
 * table for the result. Excel rewrites the part when a user saves the workbook.
 */
export function dataMashup(query: string, formula: string): Buffer {
  const archive = zip({
    'Config/Package.xml': `${declared}<Package ${schemas}><Version>2.99.202.0</Version><MinVersion>2.21.0.0</MinVersion><Culture>en-US</Culture></Package>`,
    '[Content_Types].xml': `${declared}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="text/xml" /><Default Extension="m" ContentType="application/x-ms-m" /></Types>`,
    'Formulas/Section1.m': `section Section1;\r\n\r\nshared ${query} = ${formula};`,
  });
  const permissions = `${declared}<PermissionList ${schemas}><CanEvaluateFuturePackages>false</CanEvaluateFuturePackages><FirewallEnabled>true</FirewallEnabled></PermissionList>`;
  const parts = [archive, Buffer.from(permissions), metadata(query), Buffer.alloc(0)].map(sized);
  const stream = Buffer.concat([Buffer.alloc(4), ...parts]).toString('base64');
  const xml = `<?xml version="1.0" encoding="utf-16"?><DataMashup xmlns="http://schemas.microsoft.com/DataMashup">${stream}</DataMashup>`;
  return Buffer.from(`\ufeff${xml}`, 'utf16le');
}

/** Returns the bytes, preceded by their length as a little-endian number of four bytes. */
function sized(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** Returns the query's metadata, which says that the result fills the table with the name of the query. */
function metadata(query: string): Buffer {
  const entries = {
    IsPrivate: 'l0',
    FillEnabled: 'l1',
    FillObjectType: 'sTable',
    FillToDataModelEnabled: 'l0',
    BufferNextRefresh: 'l1',
    ResultType: 'sTable',
    NameUpdatedAfterFill: 'l0',
    FillTarget: `s${query}`,
    FilledCompleteResultToWorksheet: 'l1',
    AddedToDataModel: 'l0',
  };
  const list = Object.entries(entries).map(([type, value]) => `<Entry Type="${type}" Value="${value}" />`);
  const items = `<Item><ItemLocation><ItemType>AllFormulas</ItemType><ItemPath /></ItemLocation><StableEntries /></Item><Item><ItemLocation><ItemType>Formula</ItemType><ItemPath>Section1/${query}</ItemPath></ItemLocation><StableEntries>${list.join('')}</StableEntries></Item>`;
  const xml = `${declared}<LocalPackageMetadataFile ${schemas}><Items>${items}</Items></LocalPackageMetadataFile>`;
  return Buffer.concat([Buffer.alloc(4), sized(Buffer.from(xml)), sized(zip({}))]);
}
