import { discardFill, fillChunk, fillState, startFill } from './fill/fill.ts';
import { insertFormula } from './formulas/builder/insert-formula.ts';
import { connect, disconnect, readAccount, setFormulasAllowed } from './platform/connect.ts';
import { forPage } from './platform/page-call.ts';
import { writeSamples } from './platform/samples.ts';
import { estimateSelection, viewSelection } from './platform/selection.ts';

export const sidebarAccount = forPage(readAccount);
export const sidebarConnect = forPage(connect);
export const sidebarDisconnect = forPage(disconnect);
export const sidebarAllowFormulas = forPage(setFormulasAllowed);
export const sidebarSamples = forPage(writeSamples);
export const sidebarSelection = forPage(viewSelection);
export const sidebarEstimate = forPage(estimateSelection);
export const sidebarInsertFormula = forPage(insertFormula);
export const sidebarFill = forPage(fillState);
export const sidebarFillStart = forPage(startFill);
export const sidebarFillChunk = forPage(fillChunk);
export const sidebarFillDiscard = forPage(discardFill);
