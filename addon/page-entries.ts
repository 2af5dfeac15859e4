import { connect, disconnect, readAccount, setFormulasAllowed } from './connect.ts';
import { discardFill, fillChunk, fillState, startFill } from './fill.ts';
import { insertFormula } from './insert-formula.ts';
import { forPage } from './page-call.ts';
import { estimateSelection, viewSelection } from './selection.ts';

export const sidebarAccount = forPage(readAccount);
export const sidebarConnect = forPage(connect);
export const sidebarDisconnect = forPage(disconnect);
export const sidebarAllowFormulas = forPage(setFormulasAllowed);
export const sidebarSelection = forPage(viewSelection);
export const sidebarEstimate = forPage(estimateSelection);
export const sidebarInsertFormula = forPage(insertFormula);
export const sidebarFill = forPage(fillState);
export const sidebarFillStart = forPage(startFill);
export const sidebarFillChunk = forPage(fillChunk);
export const sidebarFillDiscard = forPage(discardFill);
