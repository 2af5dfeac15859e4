import { insertFirstRows, readFirstRows } from './first-run/first-rows.ts';
import { openSidebarPage } from './first-run/open.ts';
import { estimateSelection } from './formulas/builder/estimate.ts';
import { insertFormula } from './formulas/builder/insert-formula.ts';
import { viewSelection } from './formulas/builder/selection.ts';
import {
  cancelImport,
  changeImport,
  estimateImport,
  listImports,
  readImport,
  saveChoice,
  startImport,
  stepImport,
} from './imports/imports.ts';
import { pickCells } from './imports/source.ts';
import { saveChoices } from './platform/choices.ts';
import { connect, disconnect, readAccount, setFormulasAllowed } from './platform/connect.ts';
import { forPage } from './platform/page-call.ts';
import { writeSamples } from './platform/samples.ts';

export const sidebarOpen = forPage(openSidebarPage);
export const sidebarRemember = forPage(saveChoices);
export const sidebarFirstRows = forPage(insertFirstRows);
export const sidebarFirstRowsResult = forPage(readFirstRows);
export const sidebarAccount = forPage(readAccount);
export const sidebarConnect = forPage(connect);
export const sidebarDisconnect = forPage(disconnect);
export const sidebarAllowFormulas = forPage(setFormulasAllowed);
export const sidebarSamples = forPage(writeSamples);
export const sidebarSelection = forPage(viewSelection);
export const sidebarEstimate = forPage(estimateSelection);
export const sidebarInsertFormula = forPage(insertFormula);
export const sidebarPickCells = forPage(pickCells);
export const sidebarImports = forPage(listImports);
export const sidebarImport = forPage(readImport);
export const sidebarImportSave = forPage(saveChoice);
export const sidebarImportChange = forPage(changeImport);
export const sidebarImportEstimate = forPage(estimateImport);
export const sidebarImportStart = forPage(startImport);
export const sidebarImportStep = forPage(stepImport);
export const sidebarImportCancel = forPage(cancelImport);
