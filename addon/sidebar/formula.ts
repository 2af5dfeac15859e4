import { type BuilderChoice, type BuilderFormula, builderFormulas, buildFormula } from '../formulas/formula-builder.ts';
import { refreshName } from '../formulas/max-age.ts';
import { reportSections } from '../formulas/report-tables.ts';
import { ask } from './call.ts';
import { campaignOptions } from './campaigns.ts';
import { busy, byId, onClick, onSubmit, setOptions, setText, show } from './elements.ts';
import { showAges, showTicks, tickedFields } from './field-choices.ts';
import { costWords, type Picked, pickCells } from './picked-cells.ts';

const hiddenFields = ['url', 'status'];
const free = ['SOCIAL_TRACKED', 'SOCIAL_REPORT', 'SOCIAL_CREDITS'];

/** Makes the function builder work. @returns what runs when its section comes up. */
export function startFormula(): () => void {
  let picked: Picked = null;
  const choose = (): void => {
    setText('formula-done', '');
    setText('formula-error', '');
    showPreview(picked);
  };
  const pick = async (asked: boolean): Promise<void> => {
    picked = await pickCells('formula', asked);
    choose();
    await showCost(picked);
  };
  setOptions(
    'formula-name',
    builderFormulas.map(({ name, label }) => [name, label] as const),
    'SOCIAL_PROFILE',
  );
  setOptions(
    'formula-section',
    reportSections.map((section) => [section, section.charAt(0).toUpperCase() + section.slice(1)] as const),
    'totals',
  );
  showAges('formula-age', [[refreshName, 'As the refresh cell says']]);
  onClick('formula-pick', () => void pick(true));
  onSubmit('formula-form', () => void insert(picked));
  const changeFormula = (): void => {
    showArguments(choose);
    choose();
    void showCost(picked);
  };
  byId('formula-name', HTMLSelectElement).addEventListener('change', changeFormula);
  for (const id of ['formula-age', 'formula-limit']) {
    byId(id, HTMLElement).addEventListener('change', () => void showCost(picked));
  }
  byId('formula-form', HTMLFormElement).addEventListener('input', choose);
  changeFormula();
  return () => {
    if (picked === null) void pick(false);
  };
}

function chosenFormula(): BuilderFormula | undefined {
  const name = byId('formula-name', HTMLSelectElement).value;
  return builderFormulas.find((formula) => formula.name === name);
}

function showArguments(changed: () => void): void {
  const formula = chosenFormula();
  if (formula === undefined) return;
  const { args } = formula;
  show('formula-cells', args.includes('area'));
  setText('formula-takes', formula.takes);
  show('formula-campaign-row', args.includes('campaign'));
  show('formula-limit-row', args.includes('limit'));
  show('formula-days-row', args.includes('days'));
  show('formula-age-row', args.includes('max_age'));
  const fields = formula.choices.filter((field) => !hiddenFields.includes(field));
  show('formula-fields', fields.length > 0);
  setText('formula-fields-legend', args.includes('metrics') ? 'Metrics' : 'Fields');
  showTicks('formula-fields', fields, formula.usual, changed);
  if (args.includes('campaign')) void campaignOptions('formula-campaign', 'formula-error').then(changed);
}

function readChoice(picked: Picked): BuilderChoice {
  const value = (id: string): string => byId(id, HTMLInputElement).value.trim();
  const chosen = (id: string): string => byId(id, HTMLSelectElement).value;
  return {
    name: chosen('formula-name'),
    area: picked === null ? null : { sheet: picked.sheet, a1: picked.a1 },
    ticked: tickedFields('formula-fields'),
    limit: value('formula-limit'),
    days: value('formula-days'),
    campaign: chosen('formula-campaign'),
    section: chosen('formula-section'),
    max_age: chosen('formula-age'),
  };
}

/** The formula as it would stand in the sheet of the picked cells. */
function showPreview(picked: Picked): void {
  const built = buildFormula(readChoice(picked), picked?.sheet ?? '');
  setText('formula-preview', 'formula' in built ? built.formula : built.missing);
}

async function showCost(picked: Picked): Promise<void> {
  const name = chosenFormula()?.name ?? '';
  if (free.includes(name)) {
    setText('formula-cost', 'Costs no credits.');
    return;
  }
  setText('formula-cost', picked === null ? '' : 'Asking what it costs…');
  if (picked === null) return;
  const age = byId('formula-age', HTMLSelectElement).value;
  const limit = byId('formula-limit', HTMLInputElement).value.trim();
  const words = await costWords(picked, age === refreshName ? 'fresh' : age, name, limit);
  if (chosenFormula()?.name === name) setText('formula-cost', words);
}

async function insert(picked: Picked): Promise<void> {
  setText('formula-done', '');
  const reply = await busy('formula-insert', 'Inserting…', () => ask('sidebarInsertFormula', readChoice(picked)));
  setText('formula-error', reply.ok ? '' : reply.message);
  setText('formula-done', reply.ok ? reply.message : '');
}
